// Lint rules that refuse regular expressions whose time grows faster than their input.
import { createRequire } from 'node:module'
import type { RuleTester } from 'oxlint/plugins-dev'
import type { checkSync as CheckSync } from 'recheck'

type Rule = Parameters<RuleTester['run']>[1]

// The package's main file starts a thread or a native program; `browser.js` runs in the calling thread.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as {
  checkSync: typeof CheckSync
}

/** Longest analysis of one expression, ms. Most take less than 1 ms; a longer one is refused. */
const TIMEOUT = 300_000
/** Limits by steps instead of time, which would depend on the machine's load. */
const LIMITS = { timeout: TIMEOUT, attackTimeout: null, incubationTimeout: null }

/** Results by expression, so that an expression in several files is analysed once. */
const verdicts = new Map<string, string | undefined>()

/**
 * Why an expression is refused; undefined when its time is linear in its input.
 * @param source the text between the slashes
 * @param flags its flags
 */
export function verdictOf(source: string, flags: string): string | undefined {
  const key = `${flags}/${source}`
  if (!verdicts.has(key)) verdicts.set(key, analyse(source, flags))
  return verdicts.get(key)
}

function analyse(source: string, flags: string): string | undefined {
  // recheck does not support `d` and `v`. `d` does not affect time, and `u` has all that is used of `v`.
  const supported = flags.replace('d', '').replace('v', 'u')
  const found = checkSync(source, supported, LIMITS)
  switch (found.status) {
    case 'safe':
      return undefined
    case 'vulnerable':
      return `its time is a ${found.complexity.summary}; it is slow on ${found.attack.pattern.slice(0, 200)}`
    default:
      return `its time could not be determined (${found.error.kind}); write a simpler one`
  }
}

const textOf = (node: unknown): string | undefined => {
  const it = node as { type?: string; value?: unknown; quasis?: { value: { cooked: string } }[] } | undefined
  if (it?.type === 'Literal' && typeof it.value === 'string') return it.value
  if (it?.type === 'TemplateLiteral' && it.quasis?.length === 1) return it.quasis[0]?.value.cooked
  return undefined
}

interface RegExpCall {
  readonly callee: { type: string }
  readonly arguments: readonly unknown[]
}

const isRegExp = ({ callee }: RegExpCall): boolean => 'name' in callee && callee.name === 'RegExp'

/** Refuses literals, and expressions built from a constant text, that recheck finds super-linear. */
export const linearRegexp: Rule = {
  create(context) {
    const check = (node: unknown, source: string, flags: string): void => {
      const verdict = verdictOf(source, flags)
      if (verdict) context.report({ node: node as never, message: `/${source}/${flags}: ${verdict}` })
    }
    const checkCall = (node: RegExpCall): void => {
      const source = isRegExp(node) ? textOf(node.arguments[0]) : undefined
      if (source !== undefined) check(node, source, textOf(node.arguments[1]) ?? '')
    }
    return {
      Literal: (it) => {
        if ('regex' in it) check(it, it.regex.pattern, it.regex.flags)
      },
      NewExpression: (it) => checkCall(it),
      CallExpression: (it) => checkCall(it),
    }
  },
}

/** Refuses expressions built at run time, whose time cannot be analysed. */
export const noBuiltRegexp: Rule = {
  create(context) {
    const check = (node: RegExpCall): void => {
      if (isRegExp(node) && textOf(node.arguments[0]) === undefined)
        context.report({
          node: node as never,
          message: 'write the expression as a literal, so that it is checked',
        })
    }
    return { NewExpression: (it) => check(it), CallExpression: (it) => check(it) }
  },
}
