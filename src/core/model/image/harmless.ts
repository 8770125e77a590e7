import type { ShellCommand } from '../../text/shell/script';

/** Programs that leave no file of interest behind, apart from those that their redirections name. */
export const harmless = new Set(
  (
    '[ [[ (( : true false echo printf cat ls pwd test set unset export cd pushd popd source . type which command hash ' +
    'readonly local declare return exit shift trap wait sleep date id whoami uname hostname env printenv read eval getent ' +
    'grep egrep fgrep awk cut tr sort uniq head tail wc tee sed xargs find dirname basename realpath readlink stat file ' +
    'md5sum sha1sum sha256sum sha512sum cmp diff expr seq yes nproc arch dpkg dpkg-query dpkg-reconfigure apt-mark ' +
    'apt-cache apt-get apt apt-key add-apt-repository apk dnf yum microdnf rpm update-ca-certificates update-alternatives ' +
    'ldconfig locale-gen localedef useradd adduser groupadd addgroup usermod userdel passwd chpasswd chsh install mkdir ' +
    'rmdir rm mv cp ln touch truncate chmod chown chgrp chattr setfacl mkfifo mktemp sync corepack gpg fc-cache mandb ' +
    'systemctl service kill pkill killall ps time ulimit umask alias shopt stty ssh-keygen ssh-keyscan a2enmod a2ensite ' +
    'phpenmod docker-php-ext-install docker-php-ext-enable ccache strip playwright pip pip3 npm yarn pnpm gem cargo rustup ' +
    'conda mamba micromamba uv pipx go tar unzip curl wget git gunzip gzip bunzip2 xz unxz'
  ).split(' '),
);

/** `python -m pip …` and `python -c 'import x'` write nothing that is looked for. */
export function isModuleWithoutFiles({ program, args }: ShellCommand): boolean {
  if (program === null || !/^python[\d.]*$/.test(program)) return false;
  const [first, second] = args;
  if (first?.value === '--version' || first?.value === '-V') return true;
  if (first?.value === '-m')
    return ['pip', 'venv', 'ensurepip', 'compileall', 'virtualenv'].includes(second?.value ?? '');
  const code = first?.value === '-c' ? (second?.value ?? null) : null;
  return code !== null && /^\s*import [\w., ]+(?:;\s*print\([^()]*\))?\s*;?\s*$/.test(code);
}
