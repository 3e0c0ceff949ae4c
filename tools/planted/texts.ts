// Planted violations of rules for which one line is enough.
import type { PlantedText } from './row.ts'

export const texts: readonly PlantedText[] = [
  ['house(no-clock)', 'server/rules/clock-a.ts', 'export const at = new Date()', true],
  ['house(no-clock)', 'server/rules/clock-b.ts', 'export const at = (ms: number) => new Date(ms)', false],
  ['eslint(no-restricted-properties)', 'server/rules/clock-c.ts', 'export const at = Date.now()', true],
  [
    'eslint(no-restricted-properties)',
    'server/modules/posts/clock.ts',
    'export const at = Date.now()',
    false,
  ],
  ['eslint(no-restricted-globals)', 'server/rules/clock-d.ts', 'export const at = performance.now()', true],
  ['eslint(no-restricted-globals)', 'sw/cache.ts', 'export const here = () => self.location', true],
  ['eslint(no-restricted-globals)', 'sw/push.ts', 'export const all = () => clients.matchAll()', true],
  ['eslint(no-restricted-globals)', 'sw/main.ts', 'export const here = () => self.location', false],
  ['import(no-default-export)', 'src/lib/one.ts', 'export default 1', true],
  ['import(no-default-export)', 'some.config.ts', 'export default 1', false],
  ['house(extensions)', 'src/lib/bare.ts', "export { a } from './text'", true],
  ['house(extensions)', 'src/lib/full.ts', "export { a } from './text.ts'", false],
  ['import(no-cycle)', 'src/lib/egg.ts', "export { hen } from './hen.ts'\nexport const egg = 1", true],
  ['import(no-cycle)', 'src/lib/hen.ts', "export { egg } from '#src/lib/egg.ts'\nexport const hen = 1", true],
  ['import(no-cycle)', 'src/lib/fox.ts', "export { hen } from './hen.ts'", false],
  [
    'typescript(no-floating-promises)',
    'src/lib/float.ts',
    'export const go = () => { Promise.resolve(1) }',
    true,
  ],
  [
    'typescript(no-floating-promises)',
    'src/lib/store.ts',
    'export const go = () => { void Promise.resolve(1) }',
    false,
  ],
  ['typescript(no-explicit-any)', 'src/lib/any.ts', 'export const it: any = 1', true],
]
