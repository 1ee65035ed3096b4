namespace Gateway.Loadtest.Scenarios.Rest.Viewers;

/// <summary>The requests of a page of the console while it is open, as src/Console/src/pages has it.</summary>
/// <param name="Name">On the command line and in the columns.</param>
/// <param name="Polls">Each goes on by itself.</param>
internal sealed record ConsolePage(string Name, IReadOnlyList<ConsolePoll> Polls)
{
    /// <summary>Viewers of each page in turn.</summary>
    public const string Mixed = "mixed";

    private const string Decisions = "/admission/decisions";
    private const string Limits = "/limits?limit=1000";

    /// <summary>A page that shows a node also has a stream of it.</summary>
    public bool HasStream { get; init; }

    public static IReadOnlyList<ConsolePage> All { get; } =
    [
        new("overview",
        [
            ConsolePoll.Overview, new("/upstreams", 5), new("/notices", 5), new(Decisions, 15),
        ]),
        new("alarms", [new("/alarms?limit=100", 3)]),
        new("clients", [new("/sessions?limit=100", 3)]),
        new("clients-together", [new("/clients?by=address&limit=200", 5)]),
        new("clients-searched", [new("/sessions?q=load&limit=200", 5)]),
        new("admission",
        [
            new("/admission", 2), new(Decisions, 5), ConsolePoll.Overview, new(Limits + "&fields=name,inForce", 60),
        ]),
        new("certificates", [new("/certificates?limit=1000", 5) { IsWhole = true }]),
        new("nodes", [new("/nodes/ns%3D2%3Bi%3D1000", 30), new("/info", 600)]) { HasStream = true },
        new("upstreams", [new("/upstreams", 3)]),
        new("pubsub", [new("/pubsub", 3)]),
        new("trace", [new("/trace?node=ns%3D2%3Bi%3D1000", 2)]),
        new("configuration", [new("/config?limit=1000", 30) { IsWhole = true }]),
        new("limits", [new(Limits, 5) { IsWhole = true }]),
    ];
}
