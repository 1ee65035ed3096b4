using Gateway.Sources;

namespace Gateway.Tests.Management;

/// <summary>Serves nothing, and reports one connection in each state.</summary>
public sealed class AwayDriver(SourceDriverContext gateway) : ISourceDriver
{
    public const string Advice = "Look at its cable.";

    public static SourceDriverRegistration Registration { get; } =
        new("Away", static context => new AwayDriver(context));

    public void Prepare()
    {
    }

    public void Start()
    {
    }

    public IReadOnlyList<SourceReport> Report() =>
    [
        .. Enum.GetValues<SourceState>().Select(state => new SourceReport
        {
            Name = state.ToString(),
            State = state,
            Since = gateway.Time.GetUtcNow(),
            LastError = "it <b>failed</b>",
            Remedy = Advice,
        }),
    ];

    public ValueTask DisposeAsync() => default;
}
