// Lint rules of tests, about waits, deadlines and missing values.
import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]
type Node = { type: string; parent?: Node | null }

/** The last name of `a` or `b.a`. */
function nameOf(it: Node): string | undefined {
  if (it.type === 'Identifier' && 'name' in it) return String(it.name)
  if (it.type === 'MemberExpression' && 'property' in it) return nameOf(it.property as Node)
  return undefined
}

const textOf = (it: Node): string =>
  it.type === 'MemberExpression' && 'object' in it
    ? `${nameOf(it.object as Node)}.${nameOf(it)}`
    : (nameOf(it) ?? '')

const timers = new Set(['setTimeout', 'globalThis.setTimeout', 'window.setTimeout', 'self.setTimeout'])
const clocks = new Set(['performance.now', 'Date.now'])

/** Whether the call reads a clock. */
const isClock = (it: Node): boolean =>
  it.type === 'CallExpression' && 'callee' in it && clocks.has(textOf(it.callee as Node))

/** Whether the node is inside a call or construction of this name. */
function isInside(it: Node, name: string): boolean {
  for (let at = it.parent; at; at = at.parent)
    if ('callee' in at && nameOf(at.callee as Node) === name) return true
  return false
}

const SLEEP =
  'wait for a state (expect.poll, vi.waitFor), or advance a clock; durations are measured in bench/'

/** Refuses waits for a time, and differences of clocks, which a test would compare. */
export const noSleepInTests: Rule = {
  create(context) {
    const report = (node: unknown, what: string): void =>
      context.report({ node: node as never, message: `${what} in a test: ${SLEEP}` })
    return {
      ImportDeclaration: (it) => {
        const isOfTimers = /^(?:node:)?timers\/promises$/.test(it.source.value)
        for (const one of it.specifiers)
          if (isOfTimers && !(one.type === 'ImportSpecifier' && nameOf(one.imported) === 'setImmediate'))
            report(one, 'a sleep')
      },
      CallExpression: (it) => {
        const isTimer = timers.has(textOf(it.callee)) && isInside(it, 'Promise')
        if (isTimer || nameOf(it.callee) === 'waitForTimeout') report(it, 'a sleep')
      },
      BinaryExpression: (it) => {
        if (it.operator !== '-') return
        const sides = [it.left, it.right] as Node[]
        // `Date.now() - HOUR` is a date; one time less another is a duration.
        const isDate = textOf('callee' in it.left ? it.left.callee : it.left) === 'Date.now'
        const isCompared = isInside(it, 'expect') || /^[a-z]\w*$/.test(nameOf(it.right) ?? '')
        if (sides.some(isClock) && (!isDate || isCompared)) report(it, 'a duration')
      },
    }
  },
}

const isNull = (it: Node): boolean => it.type === 'Literal' && 'raw' in it && it.raw === 'null'

/** Whether the node is `''`, `0`, `-1`, `[]`, `{}` or the like. */
function isEmpty(it: Node): boolean {
  if (it.type === 'Literal' && 'value' in it) return ['', 0, 0n, false].includes(it.value as string)
  if (it.type === 'UnaryExpression' && 'argument' in it) return (it.argument as Node).type === 'Literal'
  if (it.type === 'ArrayExpression' && 'elements' in it) return (it.elements as Node[]).length === 0
  if (it.type === 'ObjectExpression' && 'properties' in it) return (it.properties as Node[]).length === 0
  return false
}

/**
 * Refuses `f(it ?? '')`: when the value is missing, the test goes on with a value that means nothing,
 * and what it expects not to happen does not happen.
 */
export const noEmptyDefaultInTests: Rule = {
  create(context) {
    return {
      LogicalExpression: (it) => {
        if (it.operator !== '??') return
        const parent = it.parent as Node & { arguments?: unknown[]; callee?: Node }
        // null is a value of its own, such as a visitor without an account; expected, it is an absence.
        const isExpected = parent.callee !== undefined && nameOf(parent.callee) === 'expect'
        if (!isEmpty(it.right) && !(isNull(it.right) && isExpected)) return
        const isArgument = parent.arguments?.includes(it) === true
        if (isArgument)
          context.report({
            node: it,
            message: 'a missing value becomes an empty one in a test: use defined() of contract/testing',
          })
      },
    }
  },
}

/** Whether the node is in a function that `toPass` calls again after a short wait has ended. */
function isRepeated(it: Node): boolean {
  for (let at = it.parent; at; at = at.parent)
    if ('callee' in at && nameOf(at.callee as Node) === 'toPass') return true
  return false
}

const DEADLINE =
  'waits of stories have one deadline (e2e/rig/deadline.ts), since a shorter one fails on a busy machine'

/** Refuses `{ timeout: 5000 }`, except where `toPass` repeats what fails, and `test.setTimeout`. */
export const oneDeadlineInStories: Rule = {
  create(context) {
    const report = (node: unknown): void => context.report({ node: node as never, message: DEADLINE })
    return {
      Property: (it) => {
        const isNumber = it.value.type === 'Literal' && typeof it.value.value === 'number'
        if (isNumber && nameOf(it.key) === 'timeout' && !isRepeated(it)) report(it)
      },
      CallExpression: (it) => {
        if (textOf(it.callee) === 'test.setTimeout') report(it)
      },
    }
  },
}
