using Gateway.Admission.Caps;

namespace Gateway.Server.Sessions;

/// <summary>
/// Sessions that may lose their place to a new one: those never activated (R07), and active ones whose channel is gone
/// (R46). The victim is one of the client that has most of either; if both are equal, one never activated. A client
/// that holds more than a sixth of all gets only its own. A session that merely waits for its client to reconnect is
/// safe below the cap. At the cap it is safe from any client that holds as many sessions as its own client left behind.
/// Of one client's sessions the one that lost its channel first goes. Thread-safe.
/// </summary>
internal sealed class SessionVictims
{
    private readonly VictimList<Session> _unactivated = new();
    private readonly VictimList<Session> _withoutChannel = new();

    public int WithoutChannel => _withoutChannel.Count;

    public void AddUnactivated(Session session) => _unactivated.Add(session, session.Place.Holder);

    public void AddWithoutChannel(Session session) => _withoutChannel.Add(session, session.Place.Holder);

    public void Remove(Session session)
    {
        _unactivated.Remove(session);
        _withoutChannel.Remove(session);
    }

    /// <summary>Removes a victim from the list and returns it; null if there is none.</summary>
    /// <param name="newcomer">The place of the new session.</param>
    /// <param name="ownOnly">The client holds so many that only its own sessions make room.</param>
    /// <param name="held">Sessions that the new session's client has.</param>
    public Session? Take(SessionPlace newcomer, bool ownOnly, int held)
    {
        if (ownOnly)
            return _unactivated.TakeOwn(newcomer.Holder) ?? _withoutChannel.TakeOwn(newcomer.Holder);
        // A client that is about to activate its one session must not pay for sessions that a hoarder left behind.
        return _withoutChannel.MostWeight > Math.Max(held, _unactivated.MostWeight)
            ? _withoutChannel.TakeOfMost(above: held) ?? _unactivated.TakeOfMost()
            : _unactivated.TakeOfMost() ?? _withoutChannel.TakeOfMost(above: held);
    }
}
