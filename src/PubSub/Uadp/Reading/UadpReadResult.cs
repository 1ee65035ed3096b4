using Gateway.PubSub.Uadp.Discovery;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>The outcome of a NetworkMessage, or of the last of its chunks. One of the messages is there, or none.
/// </summary>
internal readonly record struct UadpReadResult(
    UadpReadProblem Problem, UadpMessage? Data = null, UadpAnnouncement? Announcement = null,
    UadpProbe? Probe = null)
{
    /// <summary>Its seal; of several chunks, that of the last one.</summary>
    public UadpOrigin Origin { get; init; }
}
