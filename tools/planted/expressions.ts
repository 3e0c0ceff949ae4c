// Planted regular expressions: super-linear, built at run time, and valid.
import type { PlantedText } from './row.ts'

export const expressions: readonly PlantedText[] = [
  ['house(linear-regexp)', 'server/http/re-a.ts', 'export const it = /(a+)+$/', true],
  ['house(linear-regexp)', 'server/http/re-b.ts', 'export const it = /\\s+$/', true],
  ['house(linear-regexp)', 'contract/re-c.ts', 'export const it = /<!--[\\s\\S]*?-->/g', true],
  ['house(linear-regexp)', 'device/re-d.ts', "export const it = new RegExp('x*x*y')", true],
  ['house(linear-regexp)', 'sw/re-e.ts', 'export const it = RegExp(`^(a|a)*$`)', true],
  ['house(linear-regexp)', 'src/lib/re-f.ts', 'export const it = /[\\p{L}.]+@/u', true],
  ['house(linear-regexp)', 'src/lib/re-f.test.ts', 'export const it = /"[^"]*x[^"]*"/', true],
  ['house(linear-regexp)', 'e2e/re-g.spec.ts', 'export const it = /a.*b.*c/', true],
  ['house(linear-regexp)', 'tools/re-h.ts', 'export const it = /.*=.*;/v', true],
  ['house(linear-regexp)', 'bench/re-i.ts', 'export const it = /(?:a|ab)*b*c/', true],
  ['house(linear-regexp)', 'server/http/re-j.ts', 'export const it = /^[\\w-]{1,100}$/', false],
  ['house(linear-regexp)', 'server/http/re-k.ts', "export const it = new RegExp('^a+$', 'i')", false],
  [
    'house(no-built-regexp)',
    'server/http/re-l.ts',
    'export const it = (a: string) => new RegExp(`^${a}`)',
    true,
  ],
  ['house(no-built-regexp)', 'src/lib/re-m.ts', 'export const it = (a: string) => RegExp(a)', true],
  ['house(no-built-regexp)', 'src/lib/re-n.test.ts', 'export const it = (a: string) => RegExp(a)', false],
  ['house(no-built-regexp)', 'src/lib/re-o.ts', "export const it = RegExp('a')", false],
]
