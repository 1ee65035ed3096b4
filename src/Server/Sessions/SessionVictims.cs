using Gateway.Admission.Caps;

namespace Gateway.Server.Sessions;

/// <summary>
/// Sessions whose place a newcomer may have: those never activated (R07), and active ones whose channel is gone (R46),
/// whichever the client that has most has of; of equals those never activated. A client that holds more than a sixth of
/// all gets its own only. A session that merely waits for its client to reconnect is safe below the cap, and at the cap
/// from any client that holds as much as its own has left behind; of one client's the one that lost its channel first
/// goes. Thread-safe.
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

    /// <summary>Takes it out; null where there is none.</summary>
    /// <param name="newcomer">Whose sake it is for.</param>
    /// <param name="ownOnly">It holds so much that no other has to make room.</param>
    /// <param name="held">Sessions that the newcomer's client has.</param>
    public Session? Take(SessionPlace newcomer, bool ownOnly, int held)
    {
        if (ownOnly)
            return _unactivated.TakeOwn(newcomer.Holder) ?? _withoutChannel.TakeOwn(newcomer.Holder);
        // A newcomer that is about to activate its one session must not pay for what a hoarder has left behind.
        return _withoutChannel.MostWeight > Math.Max(held, _unactivated.MostWeight)
            ? _withoutChannel.TakeOfMost(above: held) ?? _unactivated.TakeOfMost()
            : _unactivated.TakeOfMost() ?? _withoutChannel.TakeOfMost(above: held);
    }
}
