using System.Security.Cryptography;
using Gateway.Codec.Pooling;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates.Inventory;

/// <summary>Takes over what lies in <c>own/certs</c> and <c>own/private</c> when that changes: new connections get the
/// new certificate, open ones keep theirs. Files that cannot be used change nothing. Any thread; reads files.</summary>
public sealed partial class OwnCertificateReload(
    PkiStore pki, ApplicationCertificateStore store, OwnCertificate own, ApplicationCertificateOptions options,
    ILogger<OwnCertificateReload> logger)
{
    private const int MaxFileBytes = 1024 * 1024;

    private readonly ILogger _logger = logger;
    private readonly Lock _lock = new();
    private byte[]? _taken;
    private byte[]? _seen;
    private string _lastProblem = "";
    private long _replaced;
    private long _refused;

    /// <summary>Certificates that were taken over.</summary>
    public long Replaced => Volatile.Read(ref _replaced);

    /// <summary>Changes of the files that could not be taken over.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>One look at the files. A change counts once two looks have found it the same: certificate and key come
    /// one after the other. The first look only remembers.</summary>
    public void Look()
    {
        lock (_lock)
        {
            var now = HashOf();
            _taken ??= now;
            var isStill = now.AsSpan().SequenceEqual(_seen);
            _seen = now;
            if (isStill && !now.AsSpan().SequenceEqual(_taken))
                ApplyUnderLock(now);
        }
    }

    /// <summary>Takes over what lies there at once, also what was not valid yet at the last look.</summary>
    /// <returns>Whether it is in force.</returns>
    public bool Apply()
    {
        lock (_lock)
            return ApplyUnderLock(HashOf());
    }

    private bool ApplyUnderLock(byte[] hash)
    {
        _taken = _seen = hash;
        ApplicationCertificate? next;
        try
        {
            next = store.Load(options);
        }
        catch (Exception error) when (
            error is InvalidOperationException or IOException or UnauthorizedAccessException or FormatException
                or CryptographicException)
        {
            return Refuse(error.Message);
        }

        if (next is null)
            return Refuse("there is none");
        var current = own.Current;
        if (next.ChainBlob.AsSpan().SequenceEqual(current.ChainBlob))
        {
            next.Dispose();
            _lastProblem = "";
            return true;
        }

        if (ProblemOf(next) is { } problem)
        {
            next.Dispose();
            return Refuse(problem);
        }

        own.Replace(next);
        Interlocked.Increment(ref _replaced);
        _lastProblem = "";
        var until = next.Certificate.NotAfter.ToUniversalTime();
        LogReplaced(current.Thumbprint, next.Thumbprint, until);
        store.WarnBeforeExpiry(next);
        return true;
    }

    private string? ProblemOf(ApplicationCertificate next)
    {
        if (next.ApplicationUri != own.ApplicationUri)
            return $"'{next.File}' names the ApplicationUri {next.ApplicationUri} instead of {own.ApplicationUri}: "
                + "only a restart changes that";
        var now = pki.TimeProvider.GetUtcNow().UtcDateTime;
        return next.Certificate.NotBefore.ToUniversalTime() > now ? $"'{next.File}' is not valid yet"
            : next.Certificate.NotAfter.ToUniversalTime() <= now ? $"the time of '{next.File}' is over"
            : null;
    }

    /// <summary>The same problem is told once.</summary>
    private bool Refuse(string problem)
    {
        if (problem == _lastProblem)
            return false;
        _lastProblem = problem;
        Interlocked.Increment(ref _refused);
        LogKept(own.Current.Thumbprint, problem);
        return false;
    }

    /// <summary>Of names and contents: a cluster changes mounted files by links.</summary>
    private byte[] HashOf()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var folder in (string[])["certs", "private"])
        {
            try
            {
                var files = new DirectoryInfo(Path.Combine(pki.Root, "own", folder)).EnumerateFiles();
                foreach (var file in files.OrderBy(static one => one.Name, StringComparer.Ordinal))
                {
                    hash.AppendData(System.Text.Encoding.UTF8.GetBytes($"|{file.Name}|"));
                    FileHash.Append(hash, file.FullName, MaxFileBytes);
                }
            }
            catch (Exception error) when (
                error is IOException or UnauthorizedAccessException or NotSupportedException)
            {
                hash.AppendData("?"u8);
            }
        }

        return hash.GetHashAndReset();
    }

    [LoggerMessage(
        EventId = 1123, Level = LogLevel.Information,
        Message = "The gateway's own certificate is another one from now on: {Before} was replaced by {Thumbprint}, "
            + "valid until {NotAfter:u}. Open connections keep the one before")]
    private partial void LogReplaced(string before, string thumbprint, DateTime notAfter);

    [LoggerMessage(
        EventId = 1124, Level = LogLevel.Warning,
        Message = "The files of the gateway's own certificate have changed and are not taken over, {Thumbprint} stays: "
            + "{Problem}")]
    private partial void LogKept(string thumbprint, string problem);
}
