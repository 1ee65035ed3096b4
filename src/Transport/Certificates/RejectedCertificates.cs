using System.Diagnostics.Metrics;
using System.Text;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>
/// Keeps the newest refused certificates as files for the operator to look at and to move to <c>trusted/certs</c>.
/// Bounded three times: files kept, certificates waiting to be written, new ones a second. Writing happens on one
/// background task, never on the caller's thread.
/// </summary>
internal sealed partial class RejectedCertificates : IAsyncDisposable
{
    private const int MaxWaiting = 64;
    private const int MaxAddedPerSecond = 20;
    private const int MaxNameLength = 40;

    private static readonly Meter Meter = new("Gateway.Transport");
    private static long _dropped;

    private readonly Channel<LeafFacts> _waiting = Channel.CreateBounded<LeafFacts>(MaxWaiting);
    private readonly Queue<string> _kept = new();
    private readonly string _folder;
    private readonly int _maxFiles;
    private readonly TimeProvider _timeProvider;
    private readonly ILogger _logger;
    private readonly Task _writer;
    private long _second;
    private int _addedInSecond;

    static RejectedCertificates() => Meter.CreateObservableCounter(
        "gateway_rejected_certificates_dropped_total", static () => Interlocked.Read(ref _dropped), null,
        "Refused certificates that were not kept as a file.");

    public RejectedCertificates(string folder, int maxFiles, TimeProvider timeProvider, ILogger logger)
    {
        _folder = folder;
        _maxFiles = maxFiles;
        _timeProvider = timeProvider;
        _logger = logger;
        Directory.CreateDirectory(folder);
        foreach (var file in new DirectoryInfo(folder).EnumerateFiles("*.der").OrderBy(file => file.LastWriteTimeUtc))
            _kept.Enqueue(file.FullName);
        _writer = Task.Run(WriteAllAsync);
    }

    /// <summary>Never blocks. A certificate that finds no room is not kept, and counted.</summary>
    public void Add(LeafFacts certificate)
    {
        if (!IsWithinRate() || !_waiting.Writer.TryWrite(certificate))
            Interlocked.Increment(ref _dropped);
    }

    /// <summary>The full path of such a certificate's file, whether it is kept by now or by its next try.</summary>
    public string PathOf(LeafFacts certificate) =>
        Path.GetFullPath(Path.Combine(_folder, FileNameOf(certificate)));

    /// <summary>From the subject's common name, of which only harmless characters stay (R23), and the
    /// thumbprint.</summary>
    public static string FileNameOf(LeafFacts certificate)
    {
        var name = new StringBuilder();
        foreach (var character in certificate.CommonName)
        {
            if (name.Length == MaxNameLength)
                break;
            name.Append(char.IsAsciiLetterOrDigit(character) || character is '-' or '_' ? character : '_');
        }
        return $"{name}[{certificate.Thumbprint}].der";
    }

    public async ValueTask DisposeAsync()
    {
        _waiting.Writer.TryComplete();
        await _writer.ConfigureAwait(false);
    }

    private bool IsWithinRate()
    {
        var second = _timeProvider.GetTimestamp() / _timeProvider.TimestampFrequency;
        if (Interlocked.Exchange(ref _second, second) != second)
            Volatile.Write(ref _addedInSecond, 0);
        return Interlocked.Increment(ref _addedInSecond) <= MaxAddedPerSecond;
    }

    private async Task WriteAllAsync()
    {
        await foreach (var certificate in _waiting.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            try
            {
                Write(certificate);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                Interlocked.Increment(ref _dropped);
                LogNotKept(certificate.Thumbprint, error.Message);
            }
        }
    }

    private void Write(LeafFacts certificate)
    {
        var file = Path.Combine(_folder, FileNameOf(certificate));
        if (File.Exists(file))
            return;
        while (_kept.Count >= _maxFiles)
            File.Delete(_kept.Dequeue());
        var partial = file + ".tmp";
        File.WriteAllBytes(partial, certificate.Der);
        File.Move(partial, file, overwrite: true);
        _kept.Enqueue(file);
    }
}
