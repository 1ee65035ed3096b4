namespace Gateway.Rest.Access;

/// <summary>A place in the lane, left once by its owner.</summary>
/// <param name="lane">Null: the work is small and needs none.</param>
internal readonly struct TurnPlace(TurnLane? lane) : IDisposable
{
    public void Dispose() => lane?.Leave();
}
