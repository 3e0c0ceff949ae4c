// The router: what every route must state, and how pages are loaded.
import { createRouter } from '@tanstack/react-router'
import { NotFound } from './features/shell/not-found.tsx'
import type { Access } from './domain/session/entry.ts'
import { routeTree } from './routeTree.gen.ts'
import type { RootContext } from './routes/__root.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    access: Access
    layout: 'default' | 'head-title' | 'simple' | 'empty'
    title: string
    /** Open to a person whose account waits for its deletion; every other member page redirects them to it. */
    whileLeaving?: boolean
  }
}

export function createAppRouter(context: RootContext) {
  return createRouter({
    routeTree,
    context,
    // Home restores its position itself, on every way back, although only a part of it is in the document.
    scrollRestoration: ({ location }) => location.pathname !== '/',
    defaultPreload: 'intent',
    // The query cache decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: NotFound,
    defaultPendingMs: 200,
    defaultPendingMinMs: 200,
  })
}
