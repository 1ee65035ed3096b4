using Gateway.Admission.Lanes;

namespace Gateway.Admission.Caps;

/// <summary>One entry of a <see cref="VictimList{T}"/>; guarded by that list's lock.</summary>
internal sealed class VictimEntry<T>(T value, VictimHolder<T> holder, long order, long weight) : IAged<VictimEntry<T>>
    where T : class
{
    public T Value { get; } = value;

    public VictimHolder<T> Holder { get; } = holder;

    /// <summary>Ascends with time.</summary>
    public long Order { get; } = order;

    public long Weight { get; } = weight;

    VictimEntry<T>? IAged<VictimEntry<T>>.Older { get; set; }

    VictimEntry<T>? IAged<VictimEntry<T>>.Younger { get; set; }
}
