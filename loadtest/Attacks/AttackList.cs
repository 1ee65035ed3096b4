namespace Gateway.Loadtest.Attacks;

/// <summary>Every attack, by theme.</summary>
internal static class AttackList
{
    private static readonly Func<Attack>[] Makers =
    [
        () => new Certificates.CertificateJunkAttack(),
        () => new Certificates.CraftedChainsAttack(),
        () => new Memory.DecodeBombAttack(),
        () => new Memory.HalfMessagesAttack(),
        () => new Memory.HalfOpeningsAttack(),
        () => new Memory.NeverReadAttack("never-read", clientsAtFullSize: 60),
        () => new Memory.NeverReadAttack("never-read-many", clientsAtFullSize: 500),
        () => new Wire.SilentSocketsAttack(),
        () => new Words.LogFloodAttack(),
        () => new Logins.PasswordGuessingAttack(),
        () => new Logins.FailureTimingAttack(),
        () => new Work.TranslateStallAttack(),
        () => new Work.BigRequestsAttack(),
        () => new Upstream.UpstreamImpostorAttack(),
        () => new Upstream.UpstreamEndlessBrowseAttack(),
        () => new Upstream.UpstreamNamespacesAttack(),
        () => new Hoards.SessionHoardAttack(),
        () => new Hoards.SubscriptionHoardAttack(),
        () => new Http.IdleHttpAttack("idle-http", descriptors: 2_048, sockets: 2_600, addresses: 1),
        () => new Http.IdleHttpAttack("idle-http-many", descriptors: 20_000, sockets: 20_400, addresses: 50),
        () => new Http.HalfHeadersAttack(),
        () => new Http.PipelinedHttpAttack(),
        () => new Sockets.WebSocketAttack(),
    ];

    public static IEnumerable<string> Names => Makers.Select(make => make().Name);

    public static IEnumerable<Attack> All => Makers.Select(make => make());

    /// <returns>Null: there is none of this name.</returns>
    public static Attack? Find(string name) => All.FirstOrDefault(attack => attack.Name == name);
}
