// Lint rule: limits the lines of a function, except tables of data.
import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]

/** Lines of a function from its first to its last, blank lines and comments included. */
const MAX_LINES = 60
/** Lines of the body of one test. */
const MAX_TEST_LINES = 80

/** The fields of a syntax tree node that the rule reads. */
interface Node {
  readonly type: string
  readonly loc: { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
  readonly parent?: Node | null
  readonly [key: string]: unknown
}

const isNode = (it: unknown): it is Node =>
  typeof it === 'object' && it !== null && typeof (it as { type?: unknown }).type === 'string'

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const testFile = /\.(test|spec|sim|deep)\.tsx?$/

/** Whether a node contains a function, a class or JSX. */
function hasCode(node: Node): boolean {
  if (functions.has(node.type) || /^(Class|JSX)/.test(node.type)) return true
  return Object.entries(node).some(([key, value]) => {
    if (key === 'parent') return false
    return (Array.isArray(value) ? value : [value]).some((it) => isNode(it) && hasCode(it))
  })
}

/** The value of a function whose only statement returns it; undefined for others. */
function onlyValue(body: Node): Node | undefined {
  if (body.type !== 'BlockStatement') return body
  const [first, ...rest] = body.body as Node[]
  return rest.length === 0 && first?.type === 'ReturnStatement' && isNode(first.argument)
    ? first.argument
    : undefined
}

/** Whether a function only returns an array or object literal without code. */
function isData(node: Node): boolean {
  const value = isNode(node.body) ? onlyValue(node.body) : undefined
  return value !== undefined && /^(Array|Object)Expression$/.test(value.type) && !hasCode(value)
}

/** `describe` of `describe(…)`, `describe.each(…)(…)` and `describe.skipIf(…).each(…)(…)`; undefined for other calls. */
function calledName(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined
  if (callee.type === 'Identifier') return callee.name as string
  if (callee.type === 'MemberExpression') return calledName(callee.object)
  if (callee.type === 'CallExpression') return calledName(callee.callee)
  return undefined
}

/** The largest number of lines of a function; undefined without limit. */
function limitOf(node: Node, path: string): number | undefined {
  if (isData(node)) return undefined
  const called =
    testFile.test(path) && node.parent?.type === 'CallExpression' ? calledName(node.parent.callee) : undefined
  if (called === 'describe') return undefined
  return called === 'test' || called === 'it' ? MAX_TEST_LINES : MAX_LINES
}

/** The name of a function, or of the variable or property with the function. */
function nameOf(node: Node): string {
  const names = [node.id, node.parent?.id, node.parent?.key]
  const found = names.find((it) => isNode(it) && typeof it.name === 'string') as { name: string } | undefined
  return found?.name ?? 'a function'
}

/** @param pathOf the path of the linted file, from the root */
export const functionLength = (pathOf: (context: { cwd: string; filename: string }) => string): Rule => ({
  create(context) {
    const path = pathOf(context)
    const check = (it: unknown): void => {
      const node = it as Node
      const lines = node.loc.end.line - node.loc.start.line + 1
      if (lines <= MAX_LINES) return
      const limit = limitOf(node, path)
      if (limit === undefined || lines <= limit) return
      context.report({
        node: it as never,
        message: `${nameOf(node)} has ${lines} lines, more than ${limit}; split it by subject`,
      })
    }
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
    }
  },
})
