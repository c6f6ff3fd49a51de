# HAProxy from Debian's package, for machines that reach no image registry. It stands in for the registry's image of the
# same name, so the paths are that image's.
FROM scratch
ADD base.tar /
USER haproxy
WORKDIR /var/lib/haproxy
ENTRYPOINT ["/usr/sbin/haproxy"]
CMD ["-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
