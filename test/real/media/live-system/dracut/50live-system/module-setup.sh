#!/bin/bash
# Replaces the modules of CoreOS' live initramfs, other than Ignition, that find the config, write its files and copy the network
# configuration. Source of names and order: fedora-coreos-config, overlay.d/05core/usr/lib/dracut/modules.d (35coreos-live,
# 35coreos-ignition, 35coreos-network)
# shellcheck disable=SC2154 # moddir and the folders are dracut's.

depends() {
  echo ignition systemd
}

installkernel() {
  instmods iso9660 squashfs overlay loop virtio_blk virtio_scsi sd_mod sr_mod virtio_net virtio_rng
}

install() {
  inst_multiple cp curl install mkdir mount sleep tar
  inst_script "${moddir}/is-live-image" /usr/bin/is-live-image
  # Ignition labels the files that it writes. This kernel has no SELinux.
  inst_simple /bin/true /usr/sbin/setfiles
  local script unit
  for script in live-root take-config carry-network tell-tree; do
    inst_script "${moddir}/${script}" "/usr/libexec/${script}"
  done
  for unit in live-root take-config carry-network tell-tree; do
    inst_simple "${moddir}/${unit}.service" "${systemdsystemunitdir}/${unit}.service"
  done
  inst_simple "${moddir}/sysroot.mount" "${systemdsystemunitdir}/sysroot.mount"
  wanted_by ignition-complete.target.requires take-config.service
  wanted_by initrd-root-fs.target.requires sysroot.mount
  wanted_by initrd.target.requires carry-network.service
  wanted_by initrd.target.requires tell-tree.service
}

wanted_by() {
  mkdir --parents "${initdir}${systemdsystemunitdir}/$1"
  ln --symbolic --force "../$2" "${initdir}${systemdsystemunitdir}/$1/$2"
}
