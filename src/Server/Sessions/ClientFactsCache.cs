namespace Gateway.Server.Sessions;

/// <summary>Lets sessions of equal clients share their facts: a thousand sessions of one program keep them once. A
/// fixed number of places; a new entry replaces the previous one of its place, so nothing grows or needs clearing. Any
/// thread.</summary>
internal sealed class ClientFactsCache
{
    private const int Places = 256;

    private readonly ClientFacts?[] _places = new ClientFacts?[Places];

    public ClientFacts Share(ClientFacts facts)
    {
        ref var place = ref _places[(uint)facts.GetHashCode() % Places];
        if (Volatile.Read(ref place) is { } known && known == facts)
            return known;
        Volatile.Write(ref place, facts);
        return facts;
    }
}
