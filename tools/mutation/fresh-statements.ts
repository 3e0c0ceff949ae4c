// A plugin of Vite for mutation testing: prepared statements are built at each call.
const KEPT = 'made ??= textOf('

/**
 * A statement that is built once belongs to the first test that calls it, and in a kept process it stays what it was
 * before the mutant: no mutant of its text would be noticed.
 */
export const freshStatements = {
  name: 'fresh-statements',
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith('/server/store/statement.ts')) return undefined
    if (!code.includes(KEPT)) throw new Error(`server/store/statement.ts no longer has: ${KEPT}`)
    return code.replace(KEPT, 'made = textOf(')
  },
}
