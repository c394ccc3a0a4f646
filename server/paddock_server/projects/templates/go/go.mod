module bot

go 1.26.0

require paddock v0.0.0

replace paddock => ./paddock/clients/go
