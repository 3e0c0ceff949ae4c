// Names of the standings of replicas, for modules that show them.
export { standings } from '#server/adapters/database/replicas/standing.ts'
