using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>The levels of a server at one moment; NaN: not known.</summary>
internal sealed record ServerLevels
{
    /// <summary>Server_ServerDiagnostics_ServerDiagnosticsSummary_… (Part 5 §12.9).</summary>
    private const uint CurrentSessionCount = 2277;
    private const uint CurrentSubscriptionCount = 2285;

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(250);

    public double ResidentMiB { get; init; } = double.NaN;

    /// <summary>Without assemblies: the runtime keeps two of each, and loads it when it is first needed.</summary>
    public double Descriptors { get; init; } = double.NaN;

    public double Threads { get; init; } = double.NaN;

    public double Sessions { get; init; } = double.NaN;

    public double Subscriptions { get; init; } = double.NaN;

    /// <param name="session">Asks the server's own diagnostics; null: they stay unknown.</param>
    public static async Task<ServerLevels> ReadAsync(RunContext context, ClientSession? session)
    {
        var counts = session is null ? [double.NaN, double.NaN] : await ReadCountsAsync(session, context.Cancellation);
        return new ServerLevels
        {
            ResidentMiB = context.Server is { } server ? server.ResidentBytes() / 1024 / 1024 : double.NaN,
            Descriptors = Entries(context.Server?.ProcessId ?? 0, "fd", IsNoAssembly),
            Threads = Entries(context.Server?.ProcessId ?? 0, "task"),
            Sessions = counts[0],
            Subscriptions = counts[1],
        };
    }

    /// <summary>Until all is back, or the time for it is over.</summary>
    public static async Task<(ServerLevels Now, double Seconds)> AwaitAsync(
        RunContext context, ClientSession session, Func<ServerLevels, bool> isBack, double withinSeconds)
    {
        var since = TimeProvider.System.GetTimestamp();
        while (true)
        {
            var now = await ReadAsync(context, session);
            var seconds = TimeProvider.System.GetElapsedTime(since).TotalSeconds;
            if (isBack(now) || seconds > withinSeconds)
                return (now, seconds);
            await Task.Delay(Look, context.Cancellation);
        }
    }

    private static async Task<double[]> ReadCountsAsync(ClientSession session, CancellationToken cancellation)
    {
        uint[] nodes = [CurrentSessionCount, CurrentSubscriptionCount];
        var response = await session.InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest
            {
                NodesToRead = Array.ConvertAll(nodes, node => new ReadValueId
                {
                    NodeId = new NodeId(node),
                    AttributeId = (uint)AttributeId.Value,
                }),
            },
            cancellation);
        return response.Results is { Length: 2 } values
            ? Array.ConvertAll(values, value => value.Status.IsGood ? value.Value.AsInt64() : double.NaN)
            : [double.NaN, double.NaN];
    }

    private static bool IsNoAssembly(string entry) =>
        new FileInfo(entry).LinkTarget?.EndsWith(".dll", StringComparison.Ordinal) != true;

    private static double Entries(int processId, string folder, Func<string, bool>? counts = null)
    {
        try
        {
            return processId > 0
                ? Directory.EnumerateFileSystemEntries($"/proc/{processId}/{folder}").Count(counts ?? (_ => true))
                : double.NaN;
        }
        catch (Exception gone) when (gone is IOException or UnauthorizedAccessException)
        {
            return double.NaN;
        }
    }
}
