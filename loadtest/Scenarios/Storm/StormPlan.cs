using Gateway.Loadtest.Observers;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>The clients of a storm: which certificate each uses, and what it does when it is refused. All by the
/// client's number, so that equal options make equal storms.</summary>
internal sealed record StormPlan
{
    /// <summary>Beside the storm's own: for a measurement before that makes none of them known.</summary>
    private const int SpareCertificates = 4;

    public required int Clients { get; init; }

    public required StormBehaviour Behaviour { get; init; }

    public required int Certificates { get; init; }

    /// <summary>Of the clients, 0 to 1: their certificates were active before.</summary>
    public required double KnownShare { get; init; }

    public required int Addresses { get; init; }

    public required TimeSpan Patience { get; init; }

    /// <summary>Of an obedient client without a hint; half of it to one and a half.</summary>
    public required TimeSpan Backoff { get; init; }

    public required bool Subscribes { get; init; }

    public required int BaselineClients { get; init; }

    public required int Silent { get; init; }

    /// <summary>From the start; a client that is not active then never was.</summary>
    public required TimeSpan Limit { get; init; }

    public required TimeSpan Hold { get; init; }

    /// <summary>The first client comes at once, the last after this.</summary>
    public required TimeSpan Within { get; init; }

    public required LiveSettings Live { get; init; }

    public int AllCertificates => Certificates + SpareCertificates;

    /// <summary>So many connects that each known certificate was active.</summary>
    public int Baseline => Math.Max(BaselineClients, KnownCertificates);

    private int KnownCertificates => KnownShare switch
    {
        <= 0 => 0,
        >= 1 => Certificates,
        _ => Math.Clamp((int)Math.Round(Certificates * KnownShare), 1, Math.Max(1, Certificates - 1)),
    };

    /// <summary>Spread evenly over the numbers.</summary>
    public bool IsKnown(int client) => client * 61L % 100 < Math.Round(100 * KnownShare);

    public int CertificateOf(int client)
    {
        var known = KnownCertificates;
        return IsKnown(client) || known == Certificates
            ? client % Math.Max(1, known)
            : known + (client % (Certificates - known));
    }

    /// <summary>Before the storm: those that shall be known.</summary>
    public int BaselineCertificateOf(int client) => KnownCertificates > 0
        ? client % KnownCertificates
        : Certificates + (client % SpareCertificates);

    public bool Obeys(int client) => Behaviour switch
    {
        StormBehaviour.Obey => true,
        StormBehaviour.Ignore => false,
        _ => client % 2 == 0,
    };

    /// <summary>Until the next attempt.</summary>
    /// <param name="obeys">See <see cref="Obeys"/>.</param>
    /// <param name="hint">The server's hint; null: none.</param>
    /// <param name="random">0 to 1.</param>
    public TimeSpan DelayOf(bool obeys, TimeSpan? hint, double random) =>
        obeys ? hint ?? Backoff * (0.5 + random) : TimeSpan.Zero;
}
