using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Text;
using System.Threading.Channels;
using Gateway.Transport.Certificates.Inventory;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Certificates;

/// <summary>
/// Keeps the newest refused certificates as files for the operator to look at and to move to <c>trusted/certs</c>.
/// Bounded three times: files kept, certificates waiting to be written, new ones a second. A certificate is a claim,
/// so an address that sends many pushes out its own: room is made by the address that has most files, its oldest first,
/// and one address gets half of the new ones a second at most. Writing happens on one background task, never on the
/// caller's thread. The facts of a refusal beside its file are kept as long as the file counts.
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

    private readonly Channel<(LeafFacts Certificate, Rejection Rejection)> _waiting =
        Channel.CreateBounded<(LeafFacts, Rejection)>(MaxWaiting);

    /// <summary>Guards the files that are kept: the writer adds them, and so does an operator.</summary>
    private readonly Lock _filesLock = new();

    /// <summary>Oldest first. Those from before the start stand each for an address of its own.</summary>
    private readonly List<(string File, string Address, string Thumbprint)> _kept = [];

    /// <summary>By thumbprint: an entry for some of the files that are kept.</summary>
    private readonly ConcurrentDictionary<string, Rejection> _rejections = new(StringComparer.OrdinalIgnoreCase);
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
            _kept.Add((file.FullName, file.FullName, ""));
        foreach (var file in Directory.GetFiles(folder, "*" + Partial))
            TryDelete(file);
        _writer = Task.Run(WriteAllAsync);
    }

    /// <summary>One that was refused. Never blocks. One that finds no room is not kept, and counted.</summary>
    /// <param name="certificate">Of the peer, or so it claims.</param>
    /// <param name="address">The peer's.</param>
    /// <param name="reason">In words of ours.</param>
    /// <param name="role">The peer's.</param>
    /// <param name="isNews">It was not told a moment ago: it is kept if it is not yet.</param>
    /// <param name="upstream">The name of the upstream that showed it; empty: it came from elsewhere.</param>
    public void Note(
        LeafFacts certificate, string address, string reason, CertificatePeerRole role, bool isNews,
        string upstream = "")
    {
        var now = _timeProvider.GetUtcNow();
        if (_rejections.TryGetValue(certificate.Thumbprint, out var known))
            known.Again(now, address, reason, upstream);
        if (!isNews)
            return;
        var rejection = known ?? new Rejection(now, address, reason, role, upstream);
        if (!IsWithinRate(rejection.Origin) || !_waiting.Writer.TryWrite((certificate, rejection)))
            Interlocked.Increment(ref _dropped);
    }

    /// <summary>Null: nothing is known of it since the start.</summary>
    public Rejection? Find(string thumbprint) => _rejections.GetValueOrDefault(thumbprint);

    /// <summary>An operator has rejected it: its file moves here, in one step. Errors: <see cref="IOException"/>,
    /// <see cref="UnauthorizedAccessException"/>.</summary>
    public void Put(string source, LeafFacts certificate, Rejection rejection)
    {
        var file = Path.Combine(_folder, FileNameOf(certificate));
        lock (_filesLock)
        {
            MakeRoomUnderLock();
            File.Move(source, file, overwrite: true);
            KeepUnderLock(file, certificate, rejection);
        }
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
        await foreach (var (certificate, rejection) in _waiting.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            try
            {
                lock (_filesLock)
                    WriteUnderLock(certificate, rejection);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                Interlocked.Increment(ref _dropped);
                LogNotKept(certificate.Thumbprint, error.Message);
            }
        }
    }

    private void WriteUnderLock(LeafFacts certificate, Rejection rejection)
    {
        var file = Path.Combine(_folder, FileNameOf(certificate));
        if (!File.Exists(file))
        {
            MakeRoomUnderLock();
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
        }

        KeepUnderLock(file, certificate, rejection);
    }

    private void KeepUnderLock(string file, LeafFacts certificate, Rejection rejection)
    {
        var known = _kept.FindIndex(kept => kept.File == file);
        var entry = (file, known < 0 ? rejection.Origin : _kept[known].Address, certificate.Thumbprint);
        if (known < 0)
            _kept.Add(entry);
        else
            _kept[known] = entry;
        _rejections[certificate.Thumbprint] = rejection;
    }

    private void MakeRoomUnderLock()
    {
        while (_kept.Count >= _maxFiles)
            RemoveOneUnderLock();
    }

    /// <summary>One that cannot be deleted still counts: else the folder would grow over its bound.</summary>
    private void RemoveOneUnderLock()
    {
        var victim = _kept.GroupBy(kept => kept.Address).MaxBy(group => group.Count())!.First();
        File.Delete(victim.File);
        _kept.Remove(victim);
        _rejections.TryRemove(victim.Thumbprint, out _);
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
