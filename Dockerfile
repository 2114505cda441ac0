# The service in one image: `docker run --init -p 8080:8080 -v tabcast-data:/data tabcast`.
# --init reaps what a killed worker leaves behind; node as process 1 would not.
#
# Base images are named by release tag: a digest has to be read from the registry by whoever builds, and one written
# down without reading it would pin nothing. Releases are built with the digests of these tags passed as build arguments.
ARG NODE_IMAGE=node:24.11-bookworm
ARG NODE_RUNTIME_IMAGE=node:24.11-bookworm-slim
ARG RUST_IMAGE=rust:1.95-bookworm
ARG NATS_IMAGE=nats:2.15.1-scratch

FROM ${RUST_IMAGE} AS rust
FROM ${NATS_IMAGE} AS nats

FROM ${NODE_IMAGE} AS build
COPY --from=rust /usr/local/cargo /usr/local/cargo
COPY --from=rust /usr/local/rustup /usr/local/rustup
ENV CARGO_HOME=/usr/local/cargo RUSTUP_HOME=/usr/local/rustup PATH=/usr/local/cargo/bin:$PATH
# Link-time optimisation over all crates costs minutes and is worth them only in an image that is built once.
ENV CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build:native && npm run build:docs && npm run build && npm prune --omit=dev

FROM ${NODE_RUNTIME_IMAGE}
LABEL org.opencontainers.image.title="tabcast" org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    TABCAST_HOST=0.0.0.0 \
    TABCAST_DATA_DIR=/data \
    TABCAST_NATS_SERVER=/usr/local/bin/nats-server
WORKDIR /app
COPY --from=nats /nats-server /usr/local/bin/nats-server
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/bindings ./bindings
COPY --from=build /build/dist ./dist
COPY package.json LICENSE NOTICE ./
COPY deploy/make-bucket.mjs ./deploy/
# What /health reports: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=
RUN printf '%s' "${COMMIT}" > commit && mkdir /data /keyring /backups && chown 1000:1000 /data /keyring /backups
# By number, so that a cluster can check that it is not root.
USER 1000:1000
VOLUME /data
# 9464 is the usual port of metrics.
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TABCAST_PORT || 8080}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/cli.js"]
CMD ["serve"]
