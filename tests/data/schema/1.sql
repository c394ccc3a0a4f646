-- Version 1 as SQLite had it, with rows in every table; a number is given up to 7.
CREATE TABLE bots (
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    token_hash BLOB NOT NULL,
    added TEXT NOT NULL,
    version TEXT NOT NULL,
    formats TEXT NOT NULL,
    forfeits INTEGER NOT NULL,
    probation TEXT NOT NULL,
    PRIMARY KEY (name)
);
INSERT INTO "bots" VALUES('ada-1','ada',X'00FF','2026-11-15T10:00:00.000Z','1.2','["summer", "winter"]',0,'');
INSERT INTO "bots" VALUES('zoe''s','Zoë 漢字',X'01','2026-11-15T11:00:00.000Z','','[]',3,'it forfeited');
CREATE TABLE journal (
    "match" INTEGER NOT NULL,
    position INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY ("match", position)
);
INSERT INTO "journal" VALUES(2,0,'{"event": "dealt", "nonces": ["11111111111111111111111111111111", "00000000000000000000000000000000", "00000000000000000000000000000000"]}');
INSERT INTO "journal" VALUES(2,1,'{"event": "step", "step": 0, "choices": [0, 1, 2], "timings": [[1.25, 0.5, null], [1.25, 0.5, null], [1.25, 0.5, null]], "banks": [10.0, 10.0, 9.5], "in_a_row": [0, 0, 0], "forfeit": [null, null, null]}');
CREATE TABLE matches (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    format TEXT NOT NULL,
    state TEXT NOT NULL,
    opening TEXT NOT NULL,
    started TEXT NOT NULL,
    ended TEXT NOT NULL,
    results TEXT NOT NULL,
    record BLOB,
    UNIQUE (id)
);
INSERT INTO "matches" VALUES(1,'M1','two-player','finished','{"format": "two-player", "rules": {"quarantine_may_stay": false, "five_player_die_hold": false, "prairie_capacity": null, "place_after_reveal": false}, "bots": ["ada-1", "zoe''s"], "clock": {"base": 1.0, "bank": 10.0, "lag_allowance": 0.2, "max_faults": 3, "nonce_wait": 1.0, "return_wait": 30.0}, "tournament": null, "trial": false, "seats": [["1.2", "ada-1", true], ["", "zoe''s", true]], "seed": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f", "started": "2026-11-15T12:00:00.000Z"}','2026-11-15T12:00:00.000Z','2026-11-15T12:00:09.000Z','[{"total": 31, "rank": 1, "forfeit": false, "faults": 0}, {"total": 27, "rank": 2, "forfeit": true, "faults": 3}]',X'789CAB56CA4D2C49CE50B25250F23554D251504ACB2F028A80F825E5F9BA05398995A94520F1D4BC94D41490B091819199AEA1A1AEA16988A1919581819581A59E818141144851716A624931505174B552523ED890C494445DB0B965A945C599F979203143A55A1D05B88AAAFC54F5624C15B1B500FAE82AD9');
INSERT INTO "matches" VALUES(2,'M2','winter','open','{"format": "winter", "rules": {"quarantine_may_stay": false, "five_player_die_hold": false, "prairie_capacity": null, "place_after_reveal": false}, "bots": ["ada-1", "zoe''s", "eve"], "clock": {"base": 1.0, "bank": 10.0, "lag_allowance": 0.2, "max_faults": 3, "nonce_wait": 1.0, "return_wait": 30.0}, "tournament": null, "trial": false, "seats": [["1.2", "ada-1", true], ["", "zoe''s", true], ["", "eve", true]], "seed": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f", "started": "2026-11-15T12:01:00.000Z"}','2026-11-15T12:01:00.000Z','','[]',NULL);
INSERT INTO "matches" VALUES(4,'M4','summer','waiting','{"format": "summer", "rules": {"quarantine_may_stay": false, "five_player_die_hold": false, "prairie_capacity": null, "place_after_reveal": false}, "bots": ["zoe''s", "ada-1", "house-greedy"], "clock": {"base": 1.0, "bank": 10.0, "lag_allowance": 0.2, "max_faults": 3, "nonce_wait": 1.0, "return_wait": 30.0}, "tournament": null, "trial": false}','','','[]',NULL);
CREATE TABLE schema_version (
    version INTEGER NOT NULL
);
INSERT INTO "schema_version" VALUES(1);
CREATE TABLE seats (
    "match" INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    bot TEXT NOT NULL,
    PRIMARY KEY ("match", seat)
);
INSERT INTO "seats" VALUES(1,0,'ada-1');
INSERT INTO "seats" VALUES(1,1,'zoe''s');
INSERT INTO "seats" VALUES(2,0,'ada-1');
INSERT INTO "seats" VALUES(2,1,'zoe''s');
INSERT INTO "seats" VALUES(2,2,'eve');
INSERT INTO "seats" VALUES(4,0,'zoe''s');
INSERT INTO "seats" VALUES(4,1,'ada-1');
INSERT INTO "seats" VALUES(4,2,'house-greedy');
CREATE INDEX ix_matches_state ON matches (state);
CREATE INDEX seats_by_bot ON seats (bot, "match");
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('matches',7);
