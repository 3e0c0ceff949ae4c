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
    /** Open to whoever waits for their account's deletion; every other page of members leads them to that one. */
    whileLeaving?: boolean
  }
}

export function createAppRouter(context: RootContext) {
  return createRouter({
    routeTree,
    context,
    // Home keeps its place itself: by whatever way one comes back, and though only a part of it stands in the page.
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
