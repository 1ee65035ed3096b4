namespace Gateway.Admission.Lanes;

/// <summary>Among those that fairness holds equal.</summary>
public enum QueueOrder
{
    FirstInFirstOut,
    LastInFirstOut,
}
