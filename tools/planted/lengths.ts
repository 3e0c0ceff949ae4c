// Planted functions of 61 lines and tests of 81, and functions of allowed length.
import type { PlantedText } from './row.ts'

/** A line, repeated. */
const times = (count: number, line: string): string => Array.from({ length: count }, () => line).join('\n')

/** A function of 61 lines, in several forms; `head` ends with an opening bracket. */
const long = (head: string, tail: string, line = '  go()'): string => `${head}\n${times(59, line)}\n${tail}`

/** Functions that are too long, and allowed ones: tables, `describe` callbacks, tests of 80 lines. */
export const lengths: readonly PlantedText[] = [
  ...['contract', 'device', 'sw', 'src/lib', 'server/http', 'tools', 'e2e/rig', 'bench'].map(
    (folder): PlantedText => [
      'house(function-length)',
      `${folder}/length-a.ts`,
      long('export function a() {', '}'),
      true,
    ],
  ),
  ['house(function-length)', 'src/lib/length-b.ts', long('export const a = () => {', '}'), true],
  ['house(function-length)', 'src/lib/length-c.ts', long('export const a = { b() {', '} }'), true],
  ['house(function-length)', 'src/lib/length-d.ts', long('export class A { b() {', '} }'), true],
  ['house(function-length)', 'src/lib/length-e.ts', long('export const a = () => {', '}', '  // b'), true],
  ['house(function-length)', 'src/lib/length-f.ts', long('export const a = () => {', '}', ''), true],
  [
    'house(function-length)',
    'src/lib/length-g.tsx',
    long('export const A = () => (<p>', '</p>)', '<b />'),
    true,
  ],
  [
    'house(function-length)',
    'src/lib/length-h.ts',
    `export function a() {\n${times(58, '  go()')}\n}`,
    false,
  ],
  // A table is an expression or the only statement, and nothing in it is a function.
  ['house(function-length)', 'src/lib/length-i.ts', long('export const a = (b: 1) => [', ']', '  b,'), false],
  [
    'house(function-length)',
    'src/lib/length-j.ts',
    long('export function a(b: 1) { return [', '] }', '  { b },'),
    false,
  ],
  [
    'house(function-length)',
    'src/lib/length-k.ts',
    long('export const a = () => [', ']', '  () => 1,'),
    true,
  ],
  [
    'house(function-length)',
    'src/lib/length-l.ts',
    long('export function a(b: 1) { go(); return [', '] }', '  b,'),
    true,
  ],
  [
    'house(function-length)',
    'src/lib/length-v.ts',
    long('export function a(b: 1) { return [', ']; function c() {} }', '  b,'),
    true,
  ],
  ['house(function-length)', 'src/lib/length-m.test.ts', long("describe('a', () => {", '})'), false],
  [
    'house(function-length)',
    'src/lib/length-n.test.ts',
    long("describe.each([1])('a', () => {", '})'),
    false,
  ],
  ['house(function-length)', 'src/lib/length-o.test.ts', long("test('a', () => {", '})'), false],
  ['house(function-length)', 'src/lib/length-p.test.ts', long('beforeAll(() => {', '})'), true],
  ['house(function-length)', 'src/lib/length-q.test.ts', long('function a() {', '}'), true],
  // Outside a test file both names are ordinary functions.
  ['house(function-length)', 'src/lib/length-r.ts', long("describe('a', () => {", '})'), true],
  ['house(function-length)', 'src/lib/length-s.ts', long("test('a', () => {", '})'), true],
  [
    'house(function-length)',
    'e2e/length-t.spec.ts',
    `test('a', async () => {\n${times(79, '  go()')}\n})`,
    true,
  ],
  [
    'house(function-length)',
    'e2e/length-u.spec.ts',
    `test.each([1])('a', async () => {\n${times(79, '  go()')}\n})`,
    true,
  ],
]
