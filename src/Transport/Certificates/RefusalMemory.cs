namespace Gateway.Transport.Certificates;

/// <summary>The refusals that were logged lately, so that a client that tries once a second makes one line a minute.
/// Decides nothing but that. Two generations of at most <see cref="GenerationSize"/> entries of 64 bytes: a flood
/// drives out what it holds and is met by the rates of the log and of the rejected store. Any thread; its lock is a
/// leaf.
/// </summary>
internal sealed class RefusalMemory(TimeProvider time)
{
    private const int GenerationSize = 256;

    private static readonly TimeSpan SilentFor = TimeSpan.FromMinutes(1);

    private readonly Lock _lock = new();
    private Dictionary<(BlobKey Leaf, CertificateFault Fault, long Version), long> _young = [];
    private Dictionary<(BlobKey Leaf, CertificateFault Fault, long Version), long> _old = [];

    public bool IsNews(BlobKey leaf, CertificateFault fault, long trustListVersion)
    {
        var now = time.GetTimestamp();
        var key = (leaf, fault, trustListVersion);
        lock (_lock)
        {
            if ((_young.TryGetValue(key, out var told) || _old.TryGetValue(key, out told)) &&
                time.GetElapsedTime(told, now) < SilentFor)
                return false;
            if (_young.Count >= GenerationSize)
                (_old, _young) = (_young, []);
            _young[key] = now;
            return true;
        }
    }
}
