package draftosaurus

// promise is what the states of a pen promise, as pairs in tenths of a point: by state, and for the
// plenty of what the pen wants. The tables are those of docs/sample-bots.md.
type promise struct {
	states [][2]int
	plenty [2]int
}

type promisesOf struct {
	board Board
	two   bool
}

var promises = map[promisesOf]map[Pen]promise{
	{Summer, false}: {
		ForestOfSameness:    {[][2]int{{0, 0}, {-29, 34}, {-15, 37}, {-22, 49}, {-48, 21}, {-59, 18}, {-57, 18}}, [2]int{5, 13}},
		WoodyTrio:           {[][2]int{{0, 0}, {69, -44}, {195, -168}, {-15, 39}}, [2]int{0, 0}},
		KingOfTheJungle:     {[][2]int{{0, 0}, {-109, 64}, {-78, 80}, {-181, 126}, {-112, 65}, {-89, 55}, {-91, 71}}, [2]int{-18, 11}},
		PrairieOfLove:       {[][2]int{{0, 0}, {34, -10}, {22, 19}, {-27, -8}, {-35, -13}}, [2]int{23, -20}},
		MeadowOfDifferences: {[][2]int{{0, 0}, {23, 0}, {46, -9}, {54, -11}, {39, -1}, {2, 5}, {-40, -17}}, [2]int{37, -55}},
		SolitaryIsland:      {[][2]int{{0, 0}, {-130, 72}, {-43, 39}}, [2]int{-92, 27}},
	},
	{Summer, true}: {
		ForestOfSameness:    {[][2]int{{0, 0}, {-31, 36}, {-23, 52}, {-30, 49}, {-57, 32}, {-65, 27}, {-65, 27}}, [2]int{10, 1}},
		WoodyTrio:           {[][2]int{{0, 0}, {53, -28}, {149, -99}, {7, 1}}, [2]int{0, 0}},
		KingOfTheJungle:     {[][2]int{{0, 0}, {-82, 23}, {-15, 37}, {-139, 77}, {-75, 16}, {-60, 12}, {-52, 8}}, [2]int{-21, 19}},
		PrairieOfLove:       {[][2]int{{0, 0}, {34, -13}, {18, 13}, {-37, -8}, {-42, -10}}, [2]int{25, -16}},
		MeadowOfDifferences: {[][2]int{{0, 0}, {28, -11}, {48, -19}, {55, -27}, {32, -12}, {-22, 1}, {-68, -29}}, [2]int{42, -60}},
		SolitaryIsland:      {[][2]int{{0, 0}, {-133, 76}, {-49, 53}}, [2]int{-84, 25}},
	},
	{Winter, false}: {
		WellOrderedWood:  {[][2]int{{0, 0}, {-3, 9}, {6, 13}, {6, 34}, {15, 39}, {-23, 32}, {-45, 28}}, [2]int{10, 8}},
		Lookout:          {[][2]int{{0, 0}, {-46, 59}}, [2]int{50, -9}},
		LoversBridgeLeft: {[][2]int{{0, 0}, {56, -30}, {87, -31}, {55, 30}, {-9, 8}, {-17, 4}}, [2]int{34, -23}},
		Pyramid:          {[][2]int{{0, 0}, {2, 10}, {29, 2}, {100, -56}, {116, -88}, {155, -176}, {-20, -66}}, [2]int{0, 0}},
	},
	{Winter, true}: {
		WellOrderedWood:  {[][2]int{{0, 0}, {-6, 4}, {-9, 8}, {3, 31}, {12, 38}, {-22, 32}, {-45, 28}}, [2]int{9, 16}},
		Lookout:          {[][2]int{{0, 0}, {-71, 76}}, [2]int{44, -18}},
		LoversBridgeLeft: {[][2]int{{0, 0}, {36, -10}, {80, -40}, {68, 19}, {29, 25}, {-15, 5}}, [2]int{44, -26}},
		Pyramid:          {[][2]int{{0, 0}, {2, 13}, {38, -12}, {91, -69}, {100, -104}, {106, -204}, {-9, -62}}, [2]int{0, 0}},
	},
}
