using System.Diagnostics.Metrics;

namespace Gateway.Transport.Certificates;

/// <summary>Counters of the limits on certificates; of the whole process, in meter <c>Gateway.Transport</c>.
/// </summary>
internal static class CertificateCounters
{
    private static readonly Meter Meter = new("Gateway.Transport");
    private static long _evictions;
    private static long _chainsCut;
    private static long _longKeys;

    static CertificateCounters()
    {
        Meter.CreateObservableCounter(
            "gateway_certificate_cache_evictions_total", static () => Interlocked.Read(ref _evictions), null,
            "Certificate verdicts evicted from the cache.");
        Meter.CreateObservableCounter(
            "gateway_certificate_chains_cut_total", static () => ChainsCut, null,
            "Certificate chains cut because they need more signature checks than allowed.");
        Meter.CreateObservableCounter(
            "gateway_certificate_long_keys_total", static () => LongKeys, null,
            "Certificates of peers that were not checked because their key is too long.");
    }

    public static long ChainsCut => Interlocked.Read(ref _chainsCut);

    public static long LongKeys => Interlocked.Read(ref _longKeys);

    public static void Evicted() => Interlocked.Increment(ref _evictions);

    public static void ChainCut() => Interlocked.Increment(ref _chainsCut);

    public static void LongKey() => Interlocked.Increment(ref _longKeys);
}
