namespace Gateway.Tidy;

/// <summary>A place (path or path#member) where a rule is broken, and how.</summary>
internal sealed record Finding(string Place, string Text);
