namespace Gateway.PubSub.States;

/// <summary>A field that a gap concerns.</summary>
/// <param name="Tag">Its node as <c>nsu=…</c>; its name where there is none.</param>
/// <param name="Count">Lost messages of its writer.</param>
public readonly record struct GapTag(string Tag, long Count);
