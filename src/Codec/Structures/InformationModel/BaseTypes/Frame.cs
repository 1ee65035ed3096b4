namespace Gateway.Codec.Structures;

[Structure(18813, 18822)]
public partial class Frame;
