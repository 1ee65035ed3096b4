namespace Gateway.Operations.Continuation;

/// <summary>Tells requests apart that leave continuation points.</summary>
public static class ContinuationRequest
{
    /// <summary>Shared by all owners: most need no points, and so no counter of their own.</summary>
    private static long s_last;

    /// <summary>Later requests have a greater one.</summary>
    public static long Begin() => Interlocked.Increment(ref s_last);
}
