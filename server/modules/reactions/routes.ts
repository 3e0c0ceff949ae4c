// Routes of reactions to posts: likes and comments.
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { commentRoutes } from './comments.ts'
import { likeRoutes } from './likes.ts'

export function reactionRoutes(app: FastifyInstance, deps: Deps): void {
  likeRoutes(app, deps)
  commentRoutes(app, deps)
}
