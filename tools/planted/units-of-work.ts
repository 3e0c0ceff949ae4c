// Planted transactions, jobs, live messages and removals inside and outside a unit of work.
import type { PlantedText } from './row.ts'

const insideUnits = (
  [
    ['server/modules/posts/unit-a.ts', 'export const a = (db: Db) => db.transaction(async () => 1)', true],
    ['server/services/auth/unit-b.ts', 'export const a = ({ db }: Deps) => db.transaction(work)', true],
    ['server/modules/posts/unit-c.ts', 'export const a = (deps: Deps) => deps.db.transaction(work)', true],
    ['server/modules/posts/unit-d.ts', "export const a = (db: Db) => db['transaction'](work)", true],
    ['server/modules/posts/unit-e.ts', 'export const a = (tx: Db) => tx.transaction.bind(tx)', true],
    ['server/modules/posts/unit-f.ts', 'const { transaction } = db\nexport const a = transaction', true],
    ['server/modules/posts/unit-g.ts', 'export const a = (deps: Deps) => deps.commit(work)', true],
    ['server/modules/posts/unit-h.ts', 'const { commit } = deps\nexport const a = commit', true],
    ['server/modules/posts/unit-i.ts', "export const a = (deps: Deps) => deps.jobs.wake('x')", true],
    ['server/services/email/unit-j.ts', "export const a = () => jobs.enqueue(db, 'x', {})", true],
    ['server/modules/posts/unit-k.ts', 'export const a = (deps: Deps) => deps.realtime.publish([])', true],
    ['server/modules/posts/unit-l.test.ts', 'export const a = world.deps.db.transaction(work)', true],
    ['server/modules/posts/unit-m.ts', 'export const a = (deps: Deps) => deps.transaction(work)', false],
    ['server/modules/posts/unit-n.ts', 'const { transaction } = deps\nexport const a = transaction', false],
    ['server/modules/posts/unit-o.test.ts', "export const a = world.deps.jobs.wake('x')", false],
    ['server/services/transaction/unit-of-work.ts', 'export const a = ports.db.transaction(work)', false],
    ['server/store/unit-p.ts', 'export const a = (db: Db) => db.transaction(work)', false],
  ] as const
).map(([file, text, isReported]): PlantedText => ['house(unit-of-work)', file, text, isReported])

const removals = (
  [
    [
      'server/modules/posts/catch-a.ts',
      "try { await work() } catch { await objects.remove(key, 'at_once') }",
      true,
    ],
    [
      'server/services/media/catch-b.ts',
      'await work().catch(() => deps.storage.objects.removeFolder(key))',
      true,
    ],
    ['server/modules/posts/catch-c.ts', 'try { await work() } finally { await objects.remove(key) }', false],
    ['server/modules/posts/catch-d.ts', 'try { await work() } catch { await scratch.remove(file) }', false],
    [
      'server/modules/posts/catch-e.test.ts',
      'try { await work() } catch { await objects.remove(key) }',
      false,
    ],
    ['server/adapters/files/catch-f.ts', 'try { await work() } catch { await objects.remove(key) }', false],
  ] as const
).map(([file, text, isReported]): PlantedText => ['house(no-removal-in-catch)', file, text, isReported])

export const unitsOfWork: readonly PlantedText[] = [...insideUnits, ...removals]
