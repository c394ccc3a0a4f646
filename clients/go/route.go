package paddock

import "log/slog"

// route is the address of the next attempt to connect.
//
// After a failure the next one of the list is tried. A Goodbye may name an address that is not in
// it: the bot stays there as long as it is welcomed, and it takes part in the turns from then on.
type route struct {
	homes []address
	stops []address // the homes, and where the last Goodbye sent the bot
	at    int
	log   *slog.Logger
}

func newRoute(homes []address, log *slog.Logger) *route {
	return &route{homes: homes, stops: homes, log: log}
}

// next returns the address of the next attempt.
func (r *route) next() address { return r.stops[r.at] }

// failed makes the next address of the list the next one.
func (r *route) failed() { r.at = (r.at + 1) % len(r.stops) }

// move makes the address of a Goodbye the next one, unless it can't be used.
func (r *route) move(server string) {
	moved, err := r.next().redirected(server)
	if err != nil {
		r.log.Warn("goodbye ignored: its address can't be used: " + err.Error())
		return
	}
	r.log.Info("address changed: the server moves this bot to " + moved.target)
	for at, stop := range r.homes {
		if stop.target == moved.target && (stop.tls == nil) == (moved.tls == nil) {
			r.at = at
			return
		}
	}
	r.stops = append(append([]address{}, r.homes...), moved)
	r.at = len(r.homes)
}
