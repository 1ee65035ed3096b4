using System.Buffers;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>Finds our own certificate in <c>own/certs</c> and its key in <c>own/private</c>, or makes both on the first
/// start. Errors: <see cref="InvalidOperationException"/> that names the file, when an existing file cannot be used:
/// the operator's files are never overwritten.</summary>
public sealed partial class ApplicationCertificateStore
{
    public static readonly TimeSpan WarningTime = TimeSpan.FromDays(60);

    /// <summary>Of SHA-1 in hexadecimal.</summary>
    private const int ThumbprintLength = 40;

    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private static readonly SearchValues<char> HexDigits = SearchValues.Create("0123456789ABCDEF");

    private readonly string _certificateFolder;
    private readonly string _keyFolder;
    private readonly TimeProvider _timeProvider;
    private readonly ILogger _logger;

    public ApplicationCertificateStore(PkiStore store)
    {
        _certificateFolder = Path.Combine(store.Root, "own", "certs");
        _keyFolder = Path.Combine(store.Root, "own", "private");
        _timeProvider = store.TimeProvider;
        _logger = store.LoggerFactory.CreateLogger<ApplicationCertificateStore>();
    }

    public ApplicationCertificate LoadOrCreate(ApplicationCertificateOptions options)
    {
        Directory.CreateDirectory(_certificateFolder);
        CreateKeyFolder();
        var certificate = Load(NameOf(options), out var unfinished);
        if (certificate is null)
        {
            certificate = Create(options, unfinished);
            LogCreated(certificate.Thumbprint, certificate.ApplicationUri, _certificateFolder);
        }
        else
        {
            var until = certificate.Certificate.NotAfter.ToUniversalTime();
            LogLoaded(certificate.Thumbprint, certificate.ApplicationUri, until);
        }
        WarnBeforeExpiry(certificate);
        return certificate;
    }

    /// <summary>The pair that lies in the folders now. Makes nothing. Errors: <see cref="InvalidOperationException"/>,
    /// IOException, UnauthorizedAccessException.</summary>
    /// <returns>Null: there is none.</returns>
    public ApplicationCertificate? Load(ApplicationCertificateOptions options)
    {
        var certificate = Load(NameOf(options), out var unfinished);
        unfinished?.Dispose();
        return certificate;
    }

    /// <summary>Says so when the certificate ends within <see cref="WarningTime"/>; to be called once a day.</summary>
    public void WarnBeforeExpiry(ApplicationCertificate certificate)
    {
        DateTimeOffset end = certificate.Certificate.NotAfter.ToUniversalTime();
        var left = end - _timeProvider.GetUtcNow();
        if (left < TimeSpan.Zero)
            LogExpired(certificate.Thumbprint, end, _certificateFolder, _keyFolder);
        else if (left < WarningTime)
            LogExpiring(certificate.Thumbprint, end, (int)left.TotalDays, _certificateFolder, _keyFolder);
    }

    /// <returns>Null: there is none yet.</returns>
    /// <param name="name">Of the files that are made here.</param>
    /// <param name="unfinished">Not null: the first start was ended between the key and its certificate.</param>
    private ApplicationCertificate? Load(string name, out RSA? unfinished)
    {
        var certificates = CertificateFiles();
        var keys = KeyFiles();
        unfinished = certificates.Count == 0 && keys.Count == 1 && IsMadeHere(keys[0].File, name) ? keys[0].Key : null;
        if (certificates.Count == 0 && (keys.Count == 0 || unfinished is not null))
            return null;
        // One whose time has not begun waits for it.
        var now = _timeProvider.GetUtcNow();
        foreach (var (file, chain) in certificates.OrderByDescending(one => one.Chain[0].NotBefore <= now)
            .ThenByDescending(one => one.Chain[0].NotAfter))
        {
            foreach (var (keyFile, key) in keys)
            {
                if (!IsPair(chain[0].Certificate, key))
                    continue;
                ProtectKeyFile(keyFile);
                return Combine(file, chain, key);
            }
        }
        throw new InvalidOperationException(
            $"No certificate in {_certificateFolder} fits a private key in {_keyFolder}. Put both there, or remove the "
            + "files of both folders to have a new pair made");
    }

    private static ApplicationCertificate Combine(string file, List<CertificateFacts> chain, RSA key)
    {
        if (SubjectAltName.Read(chain[0].Certificate).Uris.Length == 0)
            throw new InvalidOperationException(
                $"'{file}' cannot be used: it names no ApplicationUri. Put one there with a URI in its "
                + "SubjectAltName, or remove it and its key to have a new pair made");
        try
        {
            return new ApplicationCertificate(
                chain[0].Certificate.CopyWithPrivateKey(key), [.. chain.Skip(1).Select(one => one.Certificate)])
            {
                File = file,
            };
        }
        catch (ArgumentException error)
        {
            throw new InvalidOperationException($"'{file}' cannot be used: {error.Message}", error);
        }
    }

    private List<(string File, List<CertificateFacts> Chain)> CertificateFiles()
    {
        var found = new List<(string, List<CertificateFacts>)>();
        foreach (var file in new DirectoryInfo(_certificateFolder).EnumerateFiles().OrderBy(one => one.Name))
        {
            var chain = new List<CertificateFacts>();
            if (CertificateFile.TryRead(file, chain, []) && chain.Count > 0)
                found.Add((file.FullName, chain));
            else
                LogIgnored(file.FullName);
        }
        return found;
    }

    private List<(string File, RSA Key)> KeyFiles()
    {
        var found = new List<(string, RSA)>();
        foreach (var file in Directory.EnumerateFiles(_keyFolder).Where(IsPem).Order(StringComparer.Ordinal))
        {
            var key = RSA.Create();
            try
            {
                key.ImportFromPem(File.ReadAllText(file));
                found.Add((file, key));
            }
            catch (Exception error) when (error is ArgumentException or CryptographicException)
            {
                key.Dispose();
                throw new InvalidOperationException($"{file} holds no RSA private key in PEM without a password",
                    error);
            }
        }
        return found;

        static bool IsPem(string file) => Path.GetExtension(file) is ".pem" or ".key";
    }

    private static bool IsMadeHere(string keyFile, string name)
    {
        var file = Path.GetFileName(keyFile);
        return file.Length == $"{name}[].pem".Length + ThumbprintLength &&
            file.StartsWith(name + "[", StringComparison.Ordinal) && file.EndsWith("].pem", StringComparison.Ordinal) &&
            file.AsSpan(name.Length + 1, ThumbprintLength).IndexOfAnyExcept(HexDigits) < 0;
    }

    private static bool IsPair(X509Certificate2 certificate, RSA key)
    {
        using var publicKey = certificate.GetRSAPublicKey();
        return publicKey is not null &&
            publicKey.ExportSubjectPublicKeyInfo().AsSpan().SequenceEqual(key.ExportSubjectPublicKeyInfo());
    }

    private static string NameOf(ApplicationCertificateOptions options)
    {
        var name = new StringBuilder();
        foreach (var character in options.ApplicationName)
            name.Append(char.IsAsciiLetterOrDigit(character) ? character : '_');
        return name.ToString();
    }

    private ApplicationCertificate Create(ApplicationCertificateOptions options, RSA? unfinished)
    {
        using var key = unfinished ?? RSA.Create(2048);
        var certificate = SelfSignedCertificate.Create(key, options, _timeProvider.GetUtcNow());
        var name = NameOf(options);
        // The key first: a certificate without its key would stop the next start.
        if (unfinished is null)
            WriteKey(
                Path.Combine(_keyFolder, $"{name}[{certificate.Thumbprint}].pem"), key.ExportPkcs8PrivateKeyPem());
        var file = Path.Combine(_certificateFolder, $"{name}[{certificate.Thumbprint}].der");
        WholeFile.Write(file, certificate.RawData);
        return new ApplicationCertificate(certificate) { File = file };
    }

    private static void WriteKey(string file, string pem) =>
        WholeFile.Write(file, Encoding.ASCII.GetBytes(pem), mode: OwnerOnly);

    private void CreateKeyFolder()
    {
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(_keyFolder);
        else
            Directory.CreateDirectory(_keyFolder, OwnerOnly | UnixFileMode.UserExecute);
    }

    private void ProtectKeyFile(string file)
    {
        const UnixFileMode others = UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead |
            UnixFileMode.OtherWrite;
        if (OperatingSystem.IsWindows() || (File.GetUnixFileMode(file) & others) == 0)
            return;
        try
        {
            File.SetUnixFileMode(file, OwnerOnly);
            LogKeyProtected(file);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            LogKeyUnprotected(file);
        }
    }
}
