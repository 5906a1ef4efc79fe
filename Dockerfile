# The server and its web app. tests/api/deploy.test.ts holds it to package.json; the image itself is not built by our tests.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-bookworm-slim
# With more than two arenas, glibc keeps a fifth more memory that nobody uses.
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app /app
RUN mkdir -p /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
CMD ["node", "--heap-growing-percent=80", "--max-semi-space-size=16", "scripts/start.mjs"]
