namespace Gateway.Admission.Door;

/// <summary>A long request whose connection makes room for a newcomer, like one without a request: the conversation of
/// UA-TCP over a WebSocket, until it has an active session. Owner: the request. Threads: any.</summary>
public sealed class YieldingRequest : IDisposable
{
    private readonly HttpDoor _door;

    public YieldingRequest(HttpDoor door, HttpPlace place)
    {
        (_door, Place) = (door, place);
        Set(true);
    }

    internal HttpPlace Place { get; }

    /// <summary>The door's, under its lock.</summary>
    internal bool Yields { get; set; }

    /// <summary>The door's, under its lock: nothing changes any more.</summary>
    internal bool IsOver { get; set; }

    public void Set(bool yields) => _door.SetYielding(this, yields, isOver: false);

    /// <summary>Before the request ends.</summary>
    public void Dispose() => _door.SetYielding(this, yields: false, isOver: true);
}
