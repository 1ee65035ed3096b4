using System.Globalization;
using Gateway.Codec.Text;
using Gateway.Rest.Overview;
using Gateway.Transport.Certificates;
using Gateway.Transport.Certificates.Inventory;

namespace Gateway.Host.Overview;

/// <summary>Certificates of clients, upstreams, users and authorities in the trust lists that are about to end, or have
/// ended: from then on the gateway refuses those that come with them. The files are read again four times an hour.
/// </summary>
internal sealed class TrustNotices(CertificateInventory inventory, TimeProvider time) : INoticeSource
{
    public const string Kind = "trust";

    /// <summary>Certificates at most; the rest of a larger store is not looked at.</summary>
    private const int MaxRead = 1_000;

    /// <summary>Those that end first; the others follow when these are renewed.</summary>
    private const int MaxTold = 20;

    private const string Remedy =
        "Get the new certificate from its owner, trust it on the page Certificates, and delete this one.";

    private static readonly TimeSpan Interval = TimeSpan.FromMinutes(15);

    private static readonly CertificateStore[] Stores =
    [
        CertificateStore.Trusted, CertificateStore.Issuer, CertificateStore.TrustedUser, CertificateStore.IssuerUser,
    ];

    private List<CertificateEntry> _ending = [];
    private long? _readAt;

    public IEnumerable<Notice> Read()
    {
        if (_readAt is not { } at || time.GetElapsedTime(at) >= Interval)
        {
            _readAt = time.GetTimestamp();
            _ending = Find();
        }

        var now = time.GetUtcNow();
        return _ending.Select(one => Of(one, now));
    }

    private List<CertificateEntry> Find()
    {
        var all = new List<CertificateEntry>();
        foreach (var store in Stores)
            inventory.Read(store, "", MaxRead, all);
        var limit = time.GetUtcNow() + ApplicationCertificateStore.WarningTime;
        return
        [
            .. all.Where(one => one.NotAfter < limit).DistinctBy(static one => one.Thumbprint)
                .OrderBy(static one => one.NotAfter).Take(MaxTold),
        ];
    }

    private static Notice Of(CertificateEntry entry, DateTimeOffset now)
    {
        var left = entry.NotAfter - now;
        // Users are for those who manage certificates (R36).
        var name = entry.Store is CertificateStore.TrustedUser ? "a user" : PeerText.EscapeLine(entry.Subject);
        var place = CertificateInventory.NameOf(entry.Store);
        var fate = left <= TimeSpan.Zero
            ? "has ended: the gateway refuses it."
            : string.Create(CultureInfo.InvariantCulture, $"ends in {(int)left.TotalDays} days.");
        return new Notice(
            Kind, entry.Thumbprint, left <= TimeSpan.Zero, $"The certificate of {name} in {place} {fate}", Remedy)
        {
            CertificateEnd = entry.NotAfter.UtcDateTime,
            PublicWords = $"A certificate in {place} with the thumbprint {entry.Thumbprint} {fate}",
        };
    }
}
