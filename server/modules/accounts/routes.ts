// Accounts, from the first letter on.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { registrationRoutes } from './registration.ts'

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  registrationRoutes(app, deps)
}
