// The rule of migrations: planted violations, and what it allows.
import { expect, test } from 'vitest'
import { LAST_EXEMPT, refusedStatements } from './migrations.ts'

const named = (number: number) => `${String(number).padStart(4, '0')}_planted.sql`
const problems = (sql: string, number = LAST_EXEMPT + 1) => refusedStatements([{ name: named(number), sql }])

const never: Readonly<Record<string, string>> = {
  'changes a type': 'ALTER TABLE "posts" ALTER COLUMN "likes" SET DATA TYPE bigint;',
  'adds a required column': 'ALTER TABLE "public"."posts" ADD COLUMN "a" integer NOT NULL;',
  'a value of each row': 'ALTER TABLE "posts" ADD COLUMN "a" uuid DEFAULT gen_random_uuid() NOT NULL;',
  'value of each row, which rewrites':
    'ALTER TABLE "posts" ADD COLUMN "a" integer GENERATED ALWAYS AS ("likes" + 1) STORED;',
  'adds a column with a value': 'ALTER TABLE "posts" ADD COLUMN "a" bigserial;',
  'makes an index': 'CREATE INDEX "a" ON "posts" USING btree ("likes");',
  'makes an index while': 'CREATE UNIQUE INDEX CONCURRENTLY "a" ON "public"."posts" ("likes");',
  'nothing can be written': 'ALTER TABLE "posts" ADD COLUMN "a" text UNIQUE;',
  'without `not valid`': 'ALTER TABLE "posts" ADD CONSTRAINT "a" CHECK ("likes" >= 0);',
  'constraint without': 'ALTER TABLE posts ADD CONSTRAINT a FOREIGN KEY (b) REFERENCES users(id);',
  'job with batches': 'select 1;\n-- first\nUPDATE posts\n  SET likes = 0;',
  'rewrites a table or an index': 'REINDEX TABLE posts;',
}

const contracting: Readonly<Record<string, string>> = {
  'drops a column': 'ALTER TABLE "posts" DROP COLUMN "likes";',
  drops: 'DROP TABLE "posts";',
  renames: 'ALTER TABLE "posts" RENAME COLUMN "likes" TO "hearts";',
  'renames (': 'ALTER TABLE "posts" RENAME TO "entries";',
  'requires a column': 'ALTER TABLE "posts" ALTER COLUMN "note" SET NOT NULL;',
}

test.each(Object.entries(never))('a migration that %s is refused, with a marker too', (why, sql) => {
  expect(problems(sql)).toEqual([expect.stringContaining(why)])
  expect(problems(`-- contract: not used since 2.1\n${sql}`)).toHaveLength(1)
})

test.each(Object.entries(contracting))(
  'a migration that %s needs the release that stopped using it',
  (why, sql) => {
    expect(problems(sql)).toEqual([expect.stringContaining(why)])
    expect(problems(`-- contract: not used since\n${sql}`)).toHaveLength(1)
    expect(problems(`-- contract: not used since 2.1\n${sql}`)).toEqual([])
  },
)

test('each of several statements is found, with the name of its file', () => {
  const sql = `${contracting['drops']}--> statement-breakpoint\n${never['makes an index']}`
  expect(problems(sql)).toHaveLength(2)
  expect(problems(sql)[0]).toContain(named(LAST_EXEMPT + 1))
})

test('additions are allowed, and everything on a table of the same migration', () => {
  const sql = `
    CREATE TABLE "notes" ("id" uuid PRIMARY KEY NOT NULL, "post_id" uuid NOT NULL);
    --> statement-breakpoint
    CREATE INDEX "notes_post" ON "notes" USING btree ("post_id");--> statement-breakpoint
    ALTER TABLE "notes" ADD CONSTRAINT "notes_post_fk" FOREIGN KEY ("post_id") REFERENCES "posts"("id");
    ALTER TABLE "posts" ADD COLUMN "a" integer;
    ALTER TABLE "posts" ADD COLUMN "b" text DEFAULT '' NOT NULL;
    ALTER TABLE "posts" ADD CONSTRAINT "a_size" CHECK ("a" > 0) NOT VALID;
    ALTER TABLE "posts" VALIDATE CONSTRAINT "b_size";
    CREATE FUNCTION counted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE posts SET likes = 1; DROP TABLE posts;
    END $$;
    CREATE TRIGGER counted AFTER INSERT ON posts FOR EACH ROW EXECUTE FUNCTION counted();`
  expect(problems(sql)).toEqual([])
})

test('migrations from before the rule are exempt', () => {
  expect(problems('DROP TABLE "posts";', LAST_EXEMPT)).toEqual([])
})
