namespace Gateway.Interop.Admission;

/// <summary>What the gateway holds at a moment.</summary>
internal readonly record struct Levels(int Descriptors, long Sessions, long Subscriptions)
{
    public bool IsAtMost(Levels other) => Descriptors <= other.Descriptors && Sessions <= other.Sessions
        && Subscriptions <= other.Subscriptions;
}
