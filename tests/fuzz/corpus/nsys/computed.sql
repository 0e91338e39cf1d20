-- Values that a file makes when it is read, or that are too long.
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT GENERATED ALWAYS AS (hex(zeroblob(450000))) VIRTUAL);
INSERT INTO StringIds (id) VALUES (1), (2);
CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)
    SELECT i AS start, i + 1 AS end, 0 AS deviceId, 1 AS contextId, 7 AS streamId, i AS correlationId FROM n;
