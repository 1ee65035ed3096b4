using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>One server of a <see cref="MemberRace"/>.</summary>
/// <param name="Member">The server.</param>
/// <param name="OpenAsync">One attempt.</param>
/// <param name="IsLost">Its session was in use until now: the gateway goes on with it wherever it can.</param>
internal sealed record MemberEntrant(
    RedundantMember Member, Func<CancellationToken, ValueTask<ResumedUpstream>> OpenAsync, bool IsLost);
