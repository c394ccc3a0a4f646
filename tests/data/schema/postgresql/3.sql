-- Version 3 as PostgreSQL had it, with rows in every table; a number is given up to 7.
CREATE TABLE bots (
    name TEXT COLLATE "C" NOT NULL,
    owner TEXT COLLATE "C" NOT NULL,
    token_hash BYTEA NOT NULL,
    added TEXT COLLATE "C" NOT NULL,
    version TEXT COLLATE "C" DEFAULT '' NOT NULL,
    formats TEXT COLLATE "C" DEFAULT '[]' NOT NULL,
    forfeits INTEGER DEFAULT '0' NOT NULL,
    probation TEXT COLLATE "C" DEFAULT '' NOT NULL,
    language TEXT COLLATE "C" DEFAULT '' NOT NULL,
    PRIMARY KEY (name)
);
INSERT INTO "bots" VALUES('ada-1','ada','\x00FF','2026-11-15T10:00:00.000Z','1.2','["summer", "winter"]',0,'','Rust');
INSERT INTO "bots" VALUES('zoe''s','Zoë 漢字','\x01','2026-11-15T11:00:00.000Z','','[]',3,'it forfeited','');
CREATE TABLE journal (
    match BIGINT NOT NULL,
    position INTEGER NOT NULL,
    event TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (match, position)
);
INSERT INTO "journal" VALUES(2,0,'{"event": "dealt", "nonces": ["11111111111111111111111111111111", "00000000000000000000000000000000", "00000000000000000000000000000000"]}');
INSERT INTO "journal" VALUES(2,1,'{"event": "step", "step": 0, "choices": [0, 1, 2], "timings": [[1.25, 0.5, null, 0.75], [1.25, 0.5, null, 0.75], [1.25, 0.5, null, 0.75]], "banks": [10.0, 10.0, 9.5], "in_a_row": [0, 0, 0], "forfeit": [null, null, null]}');
CREATE TABLE matches (
    number BIGSERIAL NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    format TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    opening TEXT COLLATE "C" NOT NULL,
    started TEXT COLLATE "C" DEFAULT '' NOT NULL,
    ended TEXT COLLATE "C" DEFAULT '' NOT NULL,
    results TEXT COLLATE "C" DEFAULT '[]' NOT NULL,
    record BYTEA,
    tournament TEXT COLLATE "C" DEFAULT '' NOT NULL,
    pairing TEXT COLLATE "C" DEFAULT '' NOT NULL,
    block TEXT COLLATE "C" DEFAULT '' NOT NULL,
    round INTEGER DEFAULT '0' NOT NULL,
    rated BIGINT,
    void TEXT COLLATE "C" DEFAULT '' NOT NULL,
    PRIMARY KEY (number),
    UNIQUE (id)
);
INSERT INTO "matches" VALUES(1,'M1','two-player','finished','{"format": "two-player", "rules": {"quarantine_may_stay": false, "five_player_die_hold": false, "prairie_capacity": null, "place_after_reveal": false}, "bots": ["ada-1", "zoe''s"], "clock": {"base": 1.0, "bank": 10.0, "lag_allowance": 0.2, "max_faults": 3, "nonce_wait": 1.0, "return_wait": 30.0}, "rated": true, "trial": false, "tournament": "", "pairing": "", "block": "", "block_size": 1, "round": 0, "deal": null, "seats": [["1.2", "ada-1", true], ["", "zoe''s", true]], "seed": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f", "started": "2026-11-15T12:00:00.000Z"}','2026-11-15T12:00:00.000Z','2026-11-15T12:00:09.000Z','[{"total": 31, "rank": 1, "forfeit": false, "faults": 0}, {"total": 27, "rank": 2, "forfeit": true, "faults": 3}]','\x789CAB56CA4D2C49CE50B25250F23554D251504ACB2F028A80F825E5F9BA05398995A94520F1D4BC94D41490B091819199AEA1A1AEA16988A1919581819581A59E818141144851716A624931505174B552523ED890C494445DB0B965A945C599F979203143A55A1D05B88AAAFC54F5624C15B1B500FAE82AD9','T','p1','b1',1,1,'');
INSERT INTO "matches" VALUES(2,'M2','winter','open','{"format": "winter", "rules": {"quarantine_may_stay": false, "five_player_die_hold": false, "prairie_capacity": null, "place_after_reveal": false}, "bots": ["ada-1", "zoe''s", "eve"], "clock": {"base": 1.0, "bank": 10.0, "lag_allowance": 0.2, "max_faults": 3, "nonce_wait": 1.0, "return_wait": 30.0}, "rated": false, "trial": false, "tournament": "", "pairing": "", "block": "", "block_size": 1, "round": 0, "deal": null, "seats": [["1.2", "ada-1", true], ["", "zoe''s", true], ["", "eve", true]], "seed": "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f", "started": "2026-11-15T12:01:00.000Z"}','2026-11-15T12:01:00.000Z','','[]',NULL,'','','',0,NULL,'');
INSERT INTO "matches" VALUES(4,'M4','summer','waiting','{"format": "summer", "rules": {"quarantine_may_stay": false, "five_player_die_hold": false, "prairie_capacity": null, "place_after_reveal": false}, "bots": ["zoe''s", "ada-1", "house-greedy"], "clock": {"base": 1.0, "bank": 10.0, "lag_allowance": 0.2, "max_faults": 3, "nonce_wait": 1.0, "return_wait": 30.0}, "rated": false, "trial": false, "tournament": "", "pairing": "", "block": "", "block_size": 1, "round": 0, "deal": null}','','','[]',NULL,'','','',0,NULL,'');
CREATE TABLE ratings (
    format TEXT COLLATE "C" NOT NULL,
    bot TEXT COLLATE "C" NOT NULL,
    version TEXT COLLATE "C" NOT NULL,
    latest INTEGER NOT NULL,
    mu FLOAT NOT NULL,
    sigma FLOAT NOT NULL,
    matches INTEGER NOT NULL,
    points BIGINT NOT NULL,
    wins FLOAT NOT NULL,
    faults INTEGER NOT NULL,
    forfeits INTEGER NOT NULL,
    change FLOAT NOT NULL,
    changed TEXT COLLATE "C" NOT NULL,
    whole_mu FLOAT,
    whole_sigma FLOAT,
    PRIMARY KEY (format, bot, version)
);
INSERT INTO "ratings" VALUES('two-player','ada-1','1',1,29.5,7.25,1,31,1.0,0,0,7.5,'2026-11-15T12:00:09.000Z',NULL,NULL);
INSERT INTO "ratings" VALUES('two-player','zoe''s','1',1,20.5,7.25,1,27,0.0,3,1,-1.5,'2026-11-15T12:00:09.000Z',20.0,7.0);
CREATE TABLE schema_version (
    version INTEGER NOT NULL
);
INSERT INTO "schema_version" VALUES(3);
CREATE TABLE seats (
    match BIGINT NOT NULL,
    seat INTEGER NOT NULL,
    bot TEXT COLLATE "C" NOT NULL,
    format TEXT COLLATE "C" DEFAULT '' NOT NULL,
    version TEXT COLLATE "C" DEFAULT '' NOT NULL,
    total INTEGER,
    rank INTEGER,
    faults INTEGER,
    forfeit INTEGER,
    rated BIGINT,
    mu_before FLOAT,
    sigma_before FLOAT,
    mu FLOAT,
    sigma FLOAT,
    PRIMARY KEY (match, seat)
);
INSERT INTO "seats" VALUES(1,0,'ada-1','two-player','1',31,1,0,0,1,25.0,8.25,29.5,7.25);
INSERT INTO "seats" VALUES(1,1,'zoe''s','two-player','1',27,2,3,1,1,25.0,8.25,20.5,7.25);
INSERT INTO "seats" VALUES(2,0,'ada-1','winter','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,1,'zoe''s','winter','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,2,'eve','winter','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,0,'zoe''s','summer','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,1,'ada-1','summer','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(4,2,'house-greedy','summer','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE tournaments (
    name TEXT COLLATE "C" NOT NULL,
    definition TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    started TEXT COLLATE "C" NOT NULL,
    ended TEXT COLLATE "C" DEFAULT '' NOT NULL,
    PRIMARY KEY (name)
);
INSERT INTO "tournaments" VALUES('T','{"name": "T"}','running','2026-11-15T11:59:00.000Z','');
CREATE INDEX ix_matches_state ON matches (state);
CREATE INDEX matches_by_format ON matches (format, number);
CREATE UNIQUE INDEX matches_by_pairing ON matches (tournament, pairing) WHERE tournament != '';
CREATE UNIQUE INDEX matches_by_rated ON matches (rated);
CREATE UNIQUE INDEX matches_by_rating ON matches (format, rated) WHERE rated IS NOT NULL;
CREATE INDEX matches_by_tournament ON matches (tournament, number, state, block) WHERE tournament != '';
CREATE INDEX ratings_latest ON ratings (format, latest);
CREATE INDEX seats_by_bot ON seats (bot, match);
CREATE INDEX seats_by_rating ON seats (bot, format, rated);
SELECT setval('matches_number_seq', 7);
