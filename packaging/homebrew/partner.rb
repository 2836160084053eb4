# The Homebrew formula. Words between @ are filled in by scripts/package/manifests.ts.
class Partner < Formula
  desc "Bookings, gift cards, sales and webhooks from the command-line, sandbox inside"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    depends_on arch: :arm64

    url "@ADDRESS@/partner-@VERSION@-darwin-arm64.tar.gz"
    sha256 "@SHA256:darwin-arm64.tar.gz@"
  end

  on_linux do
    on_arm do
      url "@ADDRESS@/partner-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256:linux-arm64.tar.gz@"
    end
    on_intel do
      url "@ADDRESS@/partner-@VERSION@-linux-x64.tar.gz"
      sha256 "@SHA256:linux-x64.tar.gz@"
    end
  end

  def install
    libexec.install Dir["*"]
    # Makes the code cache for this Node and machine, so that the first run is as fast as the second.
    system libexec/"lib/node", libexec/"lib/partner/scripts/build/code-cache.cjs", libexec/"lib/partner/dist"
    bin.install_symlink libexec/"bin/partner"
    man1.install_symlink Dir[libexec/"share/man/man1/*"]
    man7.install_symlink Dir[libexec/"share/man/man7/*"]
  end

  test do
    assert_match "partner/#{version}", shell_output("#{bin}/partner --version")
    assert_match "CONFIRMED", shell_output("#{bin}/partner bookings statuses --profile sandbox -o tsv")
  end
end
