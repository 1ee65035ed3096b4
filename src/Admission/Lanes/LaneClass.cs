namespace Gateway.Admission.Lanes;

/// <summary>The order in which waiting handshakes are served.</summary>
public enum LaneClass
{
    /// <summary>Of a channel or session that lives: a renewal, a password of a live session.</summary>
    Live,

    /// <summary>The rest of a handshake whose channel is open: the work spent on it is not wasted.</summary>
    Begun,

    /// <summary>A certificate (at the door: an address) that was active before.</summary>
    Known,
    Stranger,
}
