// Lint rules of the unit of work: its parts, and what follows an error.
import type { RuleTester } from 'oxlint/plugins-dev'

type Rule = Parameters<RuleTester['run']>[1]
type Context = Parameters<NonNullable<Rule['create']>>[0]

const covered = /^server\/(modules|services)\//
const implementation = 'server/services/transaction/unit-of-work.ts'
const isTest = /\.(test|deep)\.ts$/

/** The objects whose `transaction` is the unit of work. */
const owners = new Set(['deps', 'ports'])

/** Calls that are allowed only inside a unit of work, and in tests. */
const insideOnly: Readonly<Record<string, ReadonlySet<string>>> = {
  jobs: new Set(['enqueue', 'enqueueOnce', 'enqueueMany', 'wake']),
  realtime: new Set(['publish']),
}

/** The last name of `a`, `b.a` or `c.b.a`. */
function nameOf(it: { type: string }): string | undefined {
  if (it.type === 'Identifier' && 'name' in it) return String(it.name)
  if (it.type === 'MemberExpression' && 'property' in it) return nameOf(it.property as { type: string })
  if (it.type === 'Literal' && 'value' in it) return String(it.value)
  return undefined
}

/** Refuses `db.transaction`, the retired `commit`, and jobs and live messages outside a unit of work. */
export const unitOfWork = (pathOf: (context: Context) => string): Rule => ({
  create(context) {
    const path = pathOf(context)
    if (!covered.test(path) || path === implementation) return {}
    const use = 'use deps.transaction (docs/decisions/058-unit-of-work.md)'
    const refuse = (node: unknown, what: string): void =>
      context.report({ node: node as never, message: `${what} outside a unit of work: ${use}` })
    const check = (node: unknown, object: { type: string }, property: { type: string }): void => {
      const [owner, name] = [nameOf(object) ?? '', nameOf(property) ?? '']
      if (name === 'transaction' && !owners.has(owner)) refuse(node, `${owner}.transaction`)
      if (name === 'commit' && owners.has(owner)) refuse(node, `${owner}.commit`)
      if (!isTest.test(path) && insideOnly[owner]?.has(name) === true) refuse(node, `${owner}.${name}`)
    }
    return {
      MemberExpression: (it) => check(it, it.object, it.property),
      VariableDeclarator: (it) => {
        // Methods of a call's result may have the same names.
        if (it.id.type !== 'ObjectPattern' || !it.init || nameOf(it.init) === undefined) return
        for (const property of it.id.properties)
          if (property.type === 'Property') check(property, it.init, property.key)
      },
    }
  },
})

const removals = new Set(['remove', 'removeFolder'])

/** Whether the node is in a `catch` clause, or in a function given to `catch()`. */
function isInCatch(node: { parent?: unknown }): boolean {
  for (let at = node.parent as { type: string; parent?: unknown } | null; at; at = at.parent as typeof at)
    if (at.type === 'CatchClause') return true
    else if (at.type === 'CallExpression' && 'callee' in at && nameOf(at.callee as typeof at) === 'catch')
      return true
  return false
}

/** Refuses to remove objects after an error: the transaction that refers to them may have committed. */
export const noRemovalInCatch = (pathOf: (context: Context) => string): Rule => ({
  create(context) {
    const path = pathOf(context)
    if (!covered.test(path) || isTest.test(path)) return {}
    return {
      CallExpression: (it) => {
        if (it.callee.type !== 'MemberExpression' || nameOf(it.callee.object) !== 'objects') return
        if (removals.has(nameOf(it.callee.property) ?? '') && isInCatch(it))
          context.report({
            node: it,
            message:
              'objects removed after an error of unknown outcome: use withStoredFiles (docs/decisions/117-unknown-outcomes.md)',
          })
      },
    }
  },
})
