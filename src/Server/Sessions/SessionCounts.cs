using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.Sessions;

/// <summary>
/// How often each service was called in a session and how often it failed. Plain increments: requests of a session come
/// one after the other on its channel's thread, and the failures of those answered later may, rarely, lose a count.
/// About 110 bytes a session with the first request, as much again with the first failure. Source: Part 5 §12.11.
/// </summary>
internal struct SessionCounts
{
    private const int Services = (int)CountedService.UnregisterNodes + 1;

    private static readonly ServiceCounterDataType Zero = new();

    private uint[]? _requests;
    private uint[]? _failures;
    private uint _total;
    private uint _failed;

    /// <summary>Requests refused because the user may not, or because they came by a foreign channel.</summary>
    public uint Unauthorized { get; private set; }

    public readonly ServiceCounterDataType Total => Counter(_total, _failed);

    public void Count(CountedService service)
    {
        _total++;
        (_requests ??= new uint[Services])[(int)service]++;
    }

    public void CountFailure(CountedService service, StatusCode status)
    {
        _failed++;
        (_failures ??= new uint[Services])[(int)service]++;
        if (status.CodeBits == StatusCodes.BadUserAccessDenied)
            Unauthorized++;
    }

    public void CountForeign()
    {
        _total++;
        _failed++;
        Unauthorized++;
    }

    /// <summary>Begins anew.</summary>
    public void Reset() => this = default;

    /// <param name="laterFailures">Failures that are counted elsewhere.</param>
    public readonly ServiceCounterDataType Of(CountedService service, uint laterFailures = 0) =>
        Counter(_requests?[(int)service] ?? 0, (_failures?[(int)service] ?? 0) + laterFailures);

    private static ServiceCounterDataType Counter(uint total, uint errors) =>
        (total | errors) == 0 ? Zero : new ServiceCounterDataType { TotalCount = total, ErrorCount = errors };
}
