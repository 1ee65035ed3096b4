namespace Gateway.Rest.Overview;

/// <summary>A notice that began, changed or ended.</summary>
/// <param name="At">When the gateway saw it.</param>
/// <param name="Change">began, changed or ended.</param>
/// <param name="Notice">As it was then.</param>
public sealed record NoticeChange(DateTime At, string Change, Notice Notice);
