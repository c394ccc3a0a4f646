-- Dino Twist matches, open and waiting, and a ladder, as a server left them when the rules had version 1.
BEGIN TRANSACTION;
CREATE TABLE bots (
	name TEXT NOT NULL, 
	owner TEXT NOT NULL, 
	token_hash BLOB NOT NULL, 
	added TEXT NOT NULL, 
	version TEXT DEFAULT '' NOT NULL, 
	formats TEXT DEFAULT '[]' NOT NULL, 
	forfeits INTEGER DEFAULT '0' NOT NULL, 
	probation TEXT DEFAULT '' NOT NULL, 
	language TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE journal (
	"match" INTEGER NOT NULL, 
	position INTEGER NOT NULL, 
	event TEXT NOT NULL, 
	PRIMARY KEY ("match", position)
);
INSERT INTO "journal" VALUES(1,0,'{"event":"dealt","nonces":["00000000000000000000000000000000","00000000000000000000000000000000"]}');
INSERT INTO "journal" VALUES(1,1,'{"event":"step","step":0,"choices":[63,63],"timings":[[1.274,0.0,null,1.274],[1.328,0.0,null,1.328]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,2,'{"event":"step","step":1,"choices":[16,16],"timings":[[0.725,0.0,null,0.725],[0.759,0.0,null,0.759]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,3,'{"event":"step","step":2,"choices":[3],"timings":[[0.507,0.0,null,0.507]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,0,'{"event":"dealt","nonces":["00000000000000000000000000000000","00000000000000000000000000000000"]}');
INSERT INTO "journal" VALUES(1,4,'{"event":"step","step":3,"choices":[3],"timings":[[0.23,0.0,null,0.23]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,1,'{"event":"step","step":0,"choices":[12,12],"timings":[[0.794,0.0,null,0.794],[0.847,0.0,null,0.847]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,5,'{"event":"step","step":4,"choices":[16,14],"timings":[[0.391,0.0,null,0.391],[0.338,0.0,null,0.338]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,2,'{"event":"step","step":1,"choices":[3],"timings":[[0.269,0.0,null,0.269]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,6,'{"event":"step","step":5,"choices":[3],"timings":[[0.162,0.0,null,0.162]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,3,'{"event":"step","step":2,"choices":[3],"timings":[[0.253,0.0,null,0.253]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,7,'{"event":"step","step":6,"choices":[3],"timings":[[0.169,0.0,null,0.169]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,4,'{"event":"step","step":3,"choices":[45,30],"timings":[[1.118,0.0,null,1.118],[1.072,0.0,null,1.072]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,8,'{"event":"step","step":7,"choices":[45,44],"timings":[[0.525,0.0,null,0.525],[0.574,0.0,null,0.574]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,5,'{"event":"step","step":4,"choices":[3],"timings":[[0.399,0.0,null,0.399]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,9,'{"event":"step","step":8,"choices":[3],"timings":[[0.216,0.0,null,0.216]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,10,'{"event":"step","step":9,"choices":[3],"timings":[[0.114,0.0,null,0.114]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,6,'{"event":"step","step":5,"choices":[3],"timings":[[0.262,0.0,null,0.262]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,11,'{"event":"step","step":10,"choices":[9,12],"timings":[[0.428,0.0,null,0.428],[0.462,0.0,null,0.462]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,7,'{"event":"step","step":6,"choices":[9,16],"timings":[[0.265,0.0,null,0.265],[0.212,0.0,null,0.212]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,12,'{"event":"step","step":11,"choices":[3],"timings":[[0.228,0.0,null,0.228]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,8,'{"event":"step","step":7,"choices":[3],"timings":[[0.151,0.0,null,0.151]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,9,'{"event":"step","step":8,"choices":[3],"timings":[[0.108,0.0,null,0.108]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,13,'{"event":"step","step":12,"choices":[3],"timings":[[0.353,0.0,null,0.353]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,10,'{"event":"step","step":9,"choices":[12,12],"timings":[[0.503,0.0,null,0.503],[0.453,0.0,null,0.453]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,14,'{"event":"step","step":13,"choices":[11,11],"timings":[[0.232,0.0,null,0.232],[0.286,0.0,null,0.286]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,11,'{"event":"step","step":10,"choices":[1],"timings":[[0.305,0.0,null,0.305]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,15,'{"event":"step","step":14,"choices":[3],"timings":[[0.19,0.0,null,0.19]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,12,'{"event":"step","step":11,"choices":[3],"timings":[[0.248,0.0,null,0.248]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,16,'{"event":"step","step":15,"choices":[3],"timings":[[0.157,0.0,null,0.157]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,13,'{"event":"step","step":12,"choices":[6,5],"timings":[[0.435,0.0,null,0.435],[0.389,0.0,null,0.389]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,17,'{"event":"step","step":16,"choices":[12,12],"timings":[[0.206,0.0,null,0.206],[0.256,0.0,null,0.256]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,18,'{"event":"step","step":17,"choices":[3],"timings":[[0.124,0.0,null,0.124]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,14,'{"event":"step","step":13,"choices":[1],"timings":[[0.267,0.0,null,0.267]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,15,'{"event":"step","step":14,"choices":[1],"timings":[[0.11,0.0,null,0.11]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,19,'{"event":"step","step":18,"choices":[3],"timings":[[0.281,0.0,null,0.281]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,16,'{"event":"step","step":15,"choices":[12,8],"timings":[[0.617,0.0,null,0.617],[0.552,0.0,null,0.552]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,20,'{"event":"step","step":19,"choices":[10,13],"timings":[[0.294,0.0,null,0.294],[0.368,0.0,null,0.368]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,17,'{"event":"step","step":16,"choices":[3],"timings":[[0.377,0.0,null,0.377]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,21,'{"event":"step","step":20,"choices":[1],"timings":[[0.191,0.0,null,0.191]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,22,'{"event":"step","step":21,"choices":[3],"timings":[[0.167,0.0,null,0.167]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,18,'{"event":"step","step":17,"choices":[63,63],"timings":[[0.957,0.0,null,0.957],[0.895,0.0,null,0.895]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,23,'{"event":"step","step":22,"choices":[13,12],"timings":[[0.537,0.0,null,0.537],[0.587,0.0,null,0.587]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(2,19,'{"event":"step","step":18,"choices":[13,11],"timings":[[0.366,0.0,null,0.366],[0.311,0.0,null,0.311]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
INSERT INTO "journal" VALUES(1,24,'{"event":"step","step":23,"choices":[1],"timings":[[0.319,0.0,null,0.319]],"banks":[10.0,10.0],"in_a_row":[0,0],"forfeit":[null,null]}');
CREATE TABLE matches (
	number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	id TEXT NOT NULL, 
	format TEXT NOT NULL, 
	state TEXT NOT NULL, 
	opening TEXT NOT NULL, 
	started TEXT DEFAULT '' NOT NULL, 
	ended TEXT DEFAULT '' NOT NULL, 
	results TEXT DEFAULT '[]' NOT NULL, 
	record BLOB, 
	tournament TEXT DEFAULT '' NOT NULL, 
	pairing TEXT DEFAULT '' NOT NULL, 
	block TEXT DEFAULT '' NOT NULL, 
	round INTEGER DEFAULT '0' NOT NULL, 
	rated INTEGER, 
	void TEXT DEFAULT '' NOT NULL, 
	UNIQUE (id)
);
INSERT INTO "matches" VALUES(1,'01M7NM20ZW383RTS02VTJ4D1NT','dino-twist','open','{"format":"dino-twist","rules":{"claw_copies":1,"quiet_first_round":false,"graveyard_per_card":false,"equals_in_seat_order":false,"attack_with_play":false,"fizzled_returns":false,"attack_may_be_waived":false,"must_settle":false,"bury_by_species":false,"babies_reshuffled":false,"others_draw_last":false,"discard_in_turn":false,"small_seats":""},"bots":["ada","bob"],"clock":{"base":600.0,"bank":10.0,"lag_allowance":0.2,"max_faults":3,"nonce_wait":1.0,"return_wait":30.0},"rated":true,"trial":false,"tournament":"","pairing":"","block":"","block_size":1,"round":0,"deal":null,"seats":[["1","ada''s",false],["1","bob''s",false]],"seed":"6456889c3fb33536ee555f1ec9a6d8c96fe2b11c3790c7f78d2cfb82a2185efe","started":"2026-11-17T20:44:29.059Z"}','2026-11-17T20:44:29.059Z','','[]',NULL,'','','',0,NULL,'');
INSERT INTO "matches" VALUES(2,'01M7NM2110C6G1X4A4VRNDX35Y','dino-twist','open','{"format":"dino-twist","rules":{"claw_copies":1,"quiet_first_round":false,"graveyard_per_card":false,"equals_in_seat_order":false,"attack_with_play":false,"fizzled_returns":false,"attack_may_be_waived":false,"must_settle":false,"bury_by_species":true,"babies_reshuffled":false,"others_draw_last":false,"discard_in_turn":false,"small_seats":""},"bots":["bob","ada"],"clock":{"base":1.0,"bank":10.0,"lag_allowance":0.2,"max_faults":3,"nonce_wait":1.0,"return_wait":30.0},"rated":true,"trial":false,"tournament":"cup","pairing":"dino-twist/01M7NM2110SCQJXC03X41SEY1G","block":"","block_size":1,"round":0,"deal":null,"seats":[["1","bob''s",false],["1","ada''s",false]],"seed":"c6c5ccce0acad370002effb462286ca30824f3b837e7d71954192ce978bdae85","started":"2026-11-17T20:44:29.090Z"}','2026-11-17T20:44:29.090Z','','[]',NULL,'cup','dino-twist/01M7NM2110SCQJXC03X41SEY1G','',0,NULL,'');
INSERT INTO "matches" VALUES(3,'01M7NM226KG63AQVFDBBSSVGJS','dino-twist-small','waiting','{"format":"dino-twist-small","rules":{"claw_copies":1,"quiet_first_round":false,"graveyard_per_card":false,"equals_in_seat_order":false,"attack_with_play":false,"fizzled_returns":false,"attack_may_be_waived":false,"must_settle":false,"bury_by_species":false,"babies_reshuffled":false,"others_draw_last":false,"discard_in_turn":false,"small_seats":""},"bots":["ada","bob"],"clock":{"base":600.0,"bank":10.0,"lag_allowance":0.2,"max_faults":3,"nonce_wait":1.0,"return_wait":30.0},"rated":true,"trial":false,"tournament":"","pairing":"","block":"","block_size":1,"round":0,"deal":null}','','','[]',NULL,'','','',0,NULL,'');
CREATE TABLE ratings (
	format TEXT NOT NULL, 
	bot TEXT NOT NULL, 
	version TEXT NOT NULL, 
	latest INTEGER NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	matches INTEGER NOT NULL, 
	points INTEGER NOT NULL, 
	wins FLOAT NOT NULL, 
	faults INTEGER NOT NULL, 
	forfeits INTEGER NOT NULL, 
	change FLOAT NOT NULL, 
	changed TEXT NOT NULL, 
	whole_mu FLOAT, 
	whole_sigma FLOAT, 
	PRIMARY KEY (format, bot, version)
);
CREATE TABLE schema_version (
	version INTEGER NOT NULL
);
INSERT INTO "schema_version" VALUES(3);
CREATE TABLE seats (
	"match" INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	bot TEXT NOT NULL, 
	format TEXT DEFAULT '' NOT NULL, 
	version TEXT DEFAULT '' NOT NULL, 
	total INTEGER, 
	rank INTEGER, 
	faults INTEGER, 
	forfeit INTEGER, 
	rated INTEGER, 
	mu_before FLOAT, 
	sigma_before FLOAT, 
	mu FLOAT, 
	sigma FLOAT, 
	PRIMARY KEY ("match", seat)
);
INSERT INTO "seats" VALUES(1,0,'ada','dino-twist','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(1,1,'bob','dino-twist','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,0,'bob','dino-twist','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(2,1,'ada','dino-twist','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,0,'ada','dino-twist-small','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "seats" VALUES(3,1,'bob','dino-twist-small','',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE tournaments (
	name TEXT NOT NULL, 
	definition TEXT NOT NULL, 
	state TEXT NOT NULL, 
	started TEXT NOT NULL, 
	ended TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "tournaments" VALUES('cup','{"name":"cup","formats":["dino-twist"],"bots":["ada","bob"],"schedule":"ladder","matches":2,"at_once":1,"seats":2,"rules":{"bury_by_species":true}}','running','2026-11-17T20:44:29.061Z','');
CREATE UNIQUE INDEX matches_by_rating ON matches (format, rated) WHERE rated IS NOT NULL;
CREATE INDEX matches_by_tournament ON matches (tournament, number, state, block) WHERE tournament != '';
CREATE UNIQUE INDEX matches_by_rated ON matches (rated);
CREATE INDEX ix_matches_state ON matches (state);
CREATE INDEX matches_by_format ON matches (format, number);
CREATE UNIQUE INDEX matches_by_pairing ON matches (tournament, pairing) WHERE tournament != '';
CREATE INDEX seats_by_rating ON seats (bot, format, rated);
CREATE INDEX seats_by_bot ON seats (bot, "match");
CREATE INDEX ratings_latest ON ratings (format, latest);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('matches',3);
COMMIT;
