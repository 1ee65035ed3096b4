using System.Diagnostics.Metrics;
using System.Text;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>
/// Keeps the newest refused certificates as files, so that the operator can check them and move them to
/// <c>trusted/certs</c>. Bounded three times: files kept, certificates waiting to be written, new ones a second. A
/// certificate is a claim, so an address that sends many pushes out its own: room is made by the address that has most
/// files, its oldest first, and one address gets half of the new ones a second at most. Writing happens on one
/// background task, never on the caller's thread.
/// </summary>
internal sealed partial class RejectedCertificates : IAsyncDisposable
{
    private const int MaxWaiting = 64;
    private const int MaxAddedPerSecond = 20;
    private const int MaxAddedPerSecondAndAddress = 10;
    private const int MaxNameLength = 40;

    /// <summary>Ends the name of a file that is being written. The end of the process may leave one behind.</summary>
    private const string Partial = ".tmp";

    private static readonly Meter Meter = new("Gateway.Transport");
    private static long _dropped;

    private readonly Channel<(LeafFacts Certificate, string Address)> _waiting =
        Channel.CreateBounded<(LeafFacts, string)>(MaxWaiting);

    /// <summary>Oldest first; the writer's. Those from before the start stand each for an address of its own.</summary>
    private readonly List<(string File, string Address)> _kept = [];
    private readonly Lock _rateLock = new();
    private readonly Dictionary<string, int> _addedByAddress = [];
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
            _kept.Add((file.FullName, file.FullName));
        foreach (var file in Directory.GetFiles(folder, "*" + Partial))
            TryDelete(file);
        _writer = Task.Run(WriteAllAsync);
    }

    /// <summary>Never blocks. A certificate that finds no room is not kept, and counted.</summary>
    public void Add(LeafFacts certificate, string address)
    {
        if (!IsWithinRate(address) || !_waiting.Writer.TryWrite((certificate, address)))
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

    private bool IsWithinRate(string address)
    {
        var second = _timeProvider.GetTimestamp() / _timeProvider.TimestampFrequency;
        lock (_rateLock)
        {
            if (_second != second)
            {
                (_second, _addedInSecond) = (second, 0);
                _addedByAddress.Clear();
            }

            var ofAddress = _addedByAddress.GetValueOrDefault(address);
            if (_addedInSecond >= MaxAddedPerSecond || ofAddress >= MaxAddedPerSecondAndAddress)
                return false;
            _addedInSecond++;
            _addedByAddress[address] = ofAddress + 1;
            return true;
        }
    }

    private async Task WriteAllAsync()
    {
        await foreach (var (certificate, address) in _waiting.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            try
            {
                Write(certificate, address);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                Interlocked.Increment(ref _dropped);
                LogNotKept(certificate.Thumbprint, error.Message);
            }
        }
    }

    private void Write(LeafFacts certificate, string address)
    {
        var file = Path.Combine(_folder, FileNameOf(certificate));
        if (File.Exists(file))
            return;
        while (_kept.Count >= _maxFiles)
            RemoveOne();
        var partial = file + Partial;
        try
        {
            File.WriteAllBytes(partial, certificate.Der);
            File.Move(partial, file, overwrite: true);
        }
        catch
        {
            // A full disk keeps the name of a file that it has no room for: a flood would leave any number of them.
            TryDelete(partial);
            throw;
        }

        _kept.Add((file, address));
    }

    /// <summary>One that cannot be deleted still counts: else the folder would grow over its bound.</summary>
    private void RemoveOne()
    {
        var victim = _kept.GroupBy(kept => kept.Address).MaxBy(group => group.Count())!.First();
        File.Delete(victim.File);
        _kept.Remove(victim);
    }

    private static void TryDelete(string file)
    {
        try
        {
            File.Delete(file);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It is harmless, and tried again at the next start.
        }
    }
}
