# Installs upk for this user: fetches the artefact for this machine, compares its SHA-256 with the list of the release, and
# puts the program into %LOCALAPPDATA%\Programs\upk, which is added to the user's PATH.
#
#   $env:UPK_VERSION = "0.1.0"   a release in place of the newest
#   $env:UPK_BIN = "C:\Tools"    where the program goes
#   $env:UPK_FROM = "C:\Folder"  where artefacts come from: a folder of this machine, or an address
#
# The whole program is a function that the last line calls: a download that is cut short does nothing.
function Install-Upk {
    $ErrorActionPreference = "Stop"
    $releases = "https://github.com/farchive/farchive/releases"
    $from = if ($env:UPK_FROM) { $env:UPK_FROM }
        elseif ($env:UPK_VERSION) { "$releases/download/v$env:UPK_VERSION" }
        else { "$releases/latest/download" }
    $bin = if ($env:UPK_BIN) { $env:UPK_BIN } else { Join-Path $env:LOCALAPPDATA "Programs\upk" }
    if (-not [Environment]::Is64BitOperatingSystem) {
        throw "install: there is no program for 32-bit Windows: cargo install --locked upk builds one"
    }
    # On ARM, Windows runs this one as well.
    $target = "x86_64-pc-windows-msvc"
    $file = "upk-$target.zip"
    $work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
    New-Item -ItemType Directory -Path $work | Out-Null
    try {
        foreach ($name in "SHA256SUMS", $file) {
            $to = Join-Path $work $name
            if ($from -like "http://*") {
                throw "install: $from is not encrypted: what comes from there proves nothing"
            } elseif ($from -like "https://*") {
                [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
                Invoke-WebRequest -UseBasicParsing -Uri "$from/$name" -OutFile $to
            } else {
                Copy-Item -LiteralPath (Join-Path $from $name) -Destination $to
            }
        }
        $wanted = Get-Content (Join-Path $work "SHA256SUMS") |
            ForEach-Object { , ($_ -split "\s+") } |
            Where-Object { $_[1] -eq $file } |
            ForEach-Object { $_[0] }
        if (-not $wanted) { throw "install: SHA256SUMS does not list $file" }
        $found = (Get-FileHash -Algorithm SHA256 -LiteralPath (Join-Path $work $file)).Hash
        if ($found -ne $wanted) {
            throw "install: $file has the SHA-256 $found, the release says ${wanted}: nothing is installed"
        }
        Expand-Archive -LiteralPath (Join-Path $work $file) -DestinationPath $work
        New-Item -ItemType Directory -Force -Path $bin | Out-Null
        Copy-Item -Force -LiteralPath (Join-Path $work "upk-$target\upk.exe") -Destination (Join-Path $bin "upk.exe")
        Write-Output "installed $bin\upk.exe"
        # As it is stored: what is read expanded and written back would name no variables any more.
        $key = [Microsoft.Win32.Registry]::CurrentUser.CreateSubKey("Environment")
        $path = $key.GetValue("Path", "", [Microsoft.Win32.RegistryValueOptions]::DoNotExpandEnvironmentNames)
        $known = ($path -split ";") | ForEach-Object { [Environment]::ExpandEnvironmentVariables($_) }
        if ($known -notcontains $bin) {
            $paths = (@($path, $bin) | Where-Object { $_ }) -join ";"
            $key.SetValue("Path", $paths, [Microsoft.Win32.RegistryValueKind]::ExpandString)
            Write-Output "$bin is in PATH for programs that are started from now on"
        }
    } finally {
        Remove-Item -Recurse -Force -LiteralPath $work
    }
}

Install-Upk
